package main

import (
	"encoding/json"
	"log"
	"net/http"
	"net/url"
	"os"
	"strings"
)

type introspection struct {
	Active bool     `json:"active"`
	Sub    string   `json:"sub"`
	Scopes []string `json:"scopes"`
}

func introspect(request *http.Request, token string) (found introspection, err error) {
	form := strings.NewReader(url.Values{"token": {token}}.Encode())
	asked, err := http.NewRequestWithContext(request.Context(), "POST", os.Getenv("GATEHOUSE")+"/introspect", form)
	if err != nil {
		return found, err
	}
	asked.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	asked.SetBasicAuth(url.QueryEscape(os.Getenv("CLIENT_ID")), url.QueryEscape(os.Getenv("CLIENT_SECRET")))
	answer, err := http.DefaultClient.Do(asked)
	if err != nil {
		return found, err
	}
	defer answer.Body.Close()
	return found, json.NewDecoder(answer.Body).Decode(&found)
}

func main() {
	http.HandleFunc("GET /measurements", func(answer http.ResponseWriter, request *http.Request) {
		token := strings.TrimPrefix(request.Header.Get("Authorization"), "Bearer ")
		found, err := introspect(request, token)
		if err != nil {
			http.Error(answer, "tokens cannot be checked now", http.StatusServiceUnavailable)
			return
		}
		if !found.Active {
			http.Error(answer, "a valid token is required", http.StatusUnauthorized)
			return
		}
		json.NewEncoder(answer).Encode(found)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil))
}
