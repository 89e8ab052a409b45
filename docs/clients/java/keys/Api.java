package keys;

import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class Api {
    public static void main(String[] arguments) {
        SpringApplication.run(Api.class, arguments);
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http) throws Exception {
        return http
            .authorizeHttpRequests(requests -> requests
                .requestMatchers("/measurements").access(requires("site:north"))
                .anyRequest().denyAll())
            .oauth2ResourceServer(server -> server.jwt(Customizer.withDefaults()))
            .build();
    }

    static AuthorizationManager<RequestAuthorizationContext> requires(String scope) {
        return (authentication, request) -> new AuthorizationDecision(
            authentication.get().getPrincipal() instanceof Jwt token
                && Scopes.covers(token.getClaimAsStringList("scopes"), scope));
    }

    @GetMapping("/measurements")
    List<String> measurements(@AuthenticationPrincipal Jwt token) {
        return List.of(token.getSubject(), token.getClaimAsString("profileId"));
    }
}
