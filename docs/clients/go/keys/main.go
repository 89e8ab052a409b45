package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
)

// covers says whether the entries of "scopes" include the scope, or the wildcard of its type.
func covers(scopes []string, scope string) bool {
	kind, _, _ := strings.Cut(scope, ":")
	for _, each := range scopes {
		if each == scope || each == kind+":*" {
			return true
		}
	}
	return false
}

func main() {
	keys := oidc.NewRemoteKeySet(context.Background(), os.Getenv("GATEHOUSE")+"/.well-known/jwks.json")
	verifier := oidc.NewVerifier(os.Getenv("ISSUER"), keys, &oidc.Config{
		ClientID:             "GRID", // the audience
		SupportedSigningAlgs: []string{oidc.ES256},
	})
	http.HandleFunc("GET /measurements", func(answer http.ResponseWriter, request *http.Request) {
		header := request.Header.Get("Authorization")
		token, err := verifier.Verify(request.Context(), strings.TrimPrefix(header, "Bearer "))
		if err != nil {
			http.Error(answer, "a valid token is required", http.StatusUnauthorized)
			return
		}
		var claims struct {
			ProfileID string   `json:"profileId"`
			Scopes    []string `json:"scopes"`
		}
		if token.Claims(&claims) != nil || !covers(claims.Scopes, "site:north") {
			http.Error(answer, "site:north is required", http.StatusForbidden)
			return
		}
		json.NewEncoder(answer).Encode(map[string]string{"user": token.Subject, "profile": claims.ProfileID})
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
