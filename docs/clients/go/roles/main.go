package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"

	"example/clients/graph"

	"github.com/Khan/genqlient/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

type authorized struct{}

func (authorized) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Authorization", "Bearer "+os.Getenv("ADMIN_TOKEN"))
	return http.DefaultTransport.RoundTrip(request)
}

func main() {
	ctx := context.Background()
	client := graphql.NewClient(os.Getenv("GATEHOUSE")+"/graphql", &http.Client{Transport: authorized{}})
	created, err := graph.CreateRole(ctx, client, &graph.CreateRoleInput{RoleId: "go-guest", Name: "Guest"})
	if err != nil {
		log.Fatal(err)
	}
	name := "Guest"
	roles, err := graph.Roles(ctx, client, &graph.RoleFilter{Name: &graph.StringFilter{Eq: &name}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(roles.Roles.Nodes), roles.Roles.Nodes[0].RoleId == created.CreateRole.RoleId)

	other := created.CreateRole.Revision + 1
	_, err = graph.RenameRole(ctx, client, "go-guest", "G", &other) // somebody else has changed it since it was read
	var refused *gqlerror.Error
	var answer *graphql.HTTPError
	if errors.As(err, &answer) {
		refused = answer.Response.Errors[0]
	} else {
		errors.As(err, &refused)
	}
	fmt.Println(refused.Extensions["code"])
}
