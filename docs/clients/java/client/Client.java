package client;

import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.springframework.http.HttpHeaders;
import org.springframework.security.oauth2.client.endpoint.OAuth2RefreshTokenGrantRequest;
import org.springframework.security.oauth2.client.endpoint.RestClientRefreshTokenTokenResponseClient;
import org.springframework.security.oauth2.client.endpoint.RestClientTokenExchangeTokenResponseClient;
import org.springframework.security.oauth2.client.endpoint.TokenExchangeGrantRequest;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AuthorizationException;
import org.springframework.security.oauth2.core.OAuth2RefreshToken;
import org.springframework.security.oauth2.core.endpoint.OAuth2AccessTokenResponse;

public final class Client {
    static final String TOKEN_ENDPOINT = System.getenv("GATEHOUSE") + "/token";

    static ClientRegistration registration(AuthorizationGrantType grant) {
        return ClientRegistration.withRegistrationId("gatehouse")
            .clientId(System.getenv("CLIENT_ID"))
            .clientSecret(System.getenv("CLIENT_SECRET"))
            .tokenUri(TOKEN_ENDPOINT)
            .authorizationGrantType(grant)
            .build();
    }

    static OAuth2AccessTokenResponse exchange(String idToken, String profileId) {
        var client = new RestClientTokenExchangeTokenResponseClient();
        client.setParametersCustomizer(parameters -> {
            parameters.set("subject_token_type", "urn:ietf:params:oauth:token-type:id_token");
            parameters.set("profileId", profileId);
        });
        var subject = new OAuth2AccessToken(OAuth2AccessToken.TokenType.BEARER, idToken, null, null);
        return client.getTokenResponse(
            new TokenExchangeGrantRequest(registration(AuthorizationGrantType.TOKEN_EXCHANGE), subject, null));
    }

    /** Store the key beside the token before the first try: with both, the renewal can be repeated until its answer arrives. */
    static OAuth2AccessTokenResponse renew(OAuth2AccessTokenResponse tokens, String key) {
        var client = new RestClientRefreshTokenTokenResponseClient();
        client.addHeadersConverter(request -> {
            var headers = new HttpHeaders();
            headers.set("Idempotency-Key", key);
            return headers;
        });
        return client.getTokenResponse(new OAuth2RefreshTokenGrantRequest(
            registration(AuthorizationGrantType.REFRESH_TOKEN), tokens.getAccessToken(), tokens.getRefreshToken()));
    }

    public static void main(String[] arguments) {
        var tokens = exchange(System.getenv("ID_TOKEN"), System.getenv("PROFILE_ID"));
        var key = UUID.randomUUID().toString();
        var lost = renew(tokens, key);
        var renewed = renew(tokens, key);
        System.out.println(renewed.getAccessToken().getTokenType().getValue() + " "
            + renewed.getRefreshToken().getTokenValue().equals(lost.getRefreshToken().getTokenValue()));
        try {
            renew(tokens, UUID.randomUUID().toString()); // a renewal token works once
        } catch (OAuth2AuthorizationException error) {
            System.out.println(error.getError().getErrorCode()); // sign in again
        }
    }
}
