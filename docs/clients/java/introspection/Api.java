package introspection;

import java.util.Collection;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.core.OAuth2AuthenticatedPrincipal;
import org.springframework.security.web.SecurityFilterChain;
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
            .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
            .oauth2ResourceServer(server -> server.opaqueToken(Customizer.withDefaults()))
            .build();
    }

    @GetMapping("/measurements")
    Map<String, Object> measurements(@AuthenticationPrincipal OAuth2AuthenticatedPrincipal caller) {
        Collection<String> scopes = caller.getAttribute("scopes");
        return Map.of("user", caller.getAttribute("sub"), "scopes", scopes);
    }
}
