package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

var endpoint = oauth2.Endpoint{TokenURL: os.Getenv("GATEHOUSE") + "/token", AuthStyle: oauth2.AuthStyleInHeader}

// exchange sends the form of RFC 8693: clientcredentials lets its parameters replace the grant type.
func exchange(ctx context.Context, idToken, profileID string) (*oauth2.Token, error) {
	config := clientcredentials.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		TokenURL:     endpoint.TokenURL,
		AuthStyle:    endpoint.AuthStyle,
		EndpointParams: map[string][]string{
			"grant_type":         {"urn:ietf:params:oauth:grant-type:token-exchange"},
			"subject_token":      {idToken},
			"subject_token_type": {"urn:ietf:params:oauth:token-type:id_token"},
			"profileId":          {profileID},
		},
	}
	return config.Token(ctx)
}

type withKey string

func (key withKey) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Idempotency-Key", string(key))
	return http.DefaultTransport.RoundTrip(request)
}

// renew can be repeated with the same token and key until its answer arrives: store the key beside the token before the first try.
func renew(ctx context.Context, refreshToken, key string) (*oauth2.Token, error) {
	config := oauth2.Config{ClientID: os.Getenv("CLIENT_ID"), ClientSecret: os.Getenv("CLIENT_SECRET"), Endpoint: endpoint}
	ctx = context.WithValue(ctx, oauth2.HTTPClient, &http.Client{Transport: withKey(key)})
	return config.TokenSource(ctx, &oauth2.Token{RefreshToken: refreshToken}).Token()
}

func main() {
	ctx := context.Background()
	tokens, err := exchange(ctx, os.Getenv("ID_TOKEN"), os.Getenv("PROFILE_ID"))
	if err != nil {
		log.Fatal(err)
	}
	key := rand.Text()
	lost, err := renew(ctx, tokens.RefreshToken, key)
	if err != nil {
		log.Fatal(err)
	}
	renewed, err := renew(ctx, tokens.RefreshToken, key)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(renewed.Type(), renewed.RefreshToken == lost.RefreshToken)

	_, err = renew(ctx, tokens.RefreshToken, rand.Text()) // a renewal token works once
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) {
		fmt.Println(refused.ErrorCode) // sign in again
	}
}
