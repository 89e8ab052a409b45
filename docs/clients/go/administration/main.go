package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"

	"example/clients/gatehouse"

	"github.com/google/uuid"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("ADMIN_TOKEN"))
		return nil
	}
	client := must(gatehouse.NewClientWithResponses(os.Getenv("GATEHOUSE"), gatehouse.WithRequestEditorFn(authorize)))
	var scopes []uuid.UUID
	for _, scope := range strings.Split(os.Getenv("ACCESS_SCOPES"), ",") {
		scopes = append(scopes, uuid.MustParse(scope))
	}

	created := must(client.CreateApplicationWithResponse(ctx, &gatehouse.CreateApplicationParams{ApiVersion: "1.0"},
		gatehouse.ApplicationCreateDTO{Name: "Gate", IconDefault: "gate.svg", IconHover: "gate-hover.svg",
			AppType: "web", RenderingMode: "page", LinkType: "internal"}))
	guid := created.JSON200.ApplicationGuid
	one := must(client.GetApplicationWithResponse(ctx, guid, &gatehouse.GetApplicationParams{ApiVersion: "1.0"}))
	fmt.Println(one.JSON200.Name)
	filter := "name eq 'Gate'"
	list := must(client.ListApplicationsWithResponse(ctx,
		&gatehouse.ListApplicationsParams{ApiVersion: "1.0", Filter: &filter}))
	found := must((*list.JSON200)[0].AsApplicationResponseDTO())
	fmt.Println(found.AppType)

	var added gatehouse.CreateAccessScopesJSONRequestBody
	for _, scope := range scopes {
		added = append(added, gatehouse.AccessScopeApplicationsMapperCreateDTO{AccessScopeGuid: scope})
	}
	mapped := must(client.CreateAccessScopesWithResponse(ctx, guid, &gatehouse.CreateAccessScopesParams{ApiVersion: "1.0"}, added))
	planned := "planned"
	changed := must(client.UpdateAccessScopesWithResponse(ctx, guid, &gatehouse.UpdateAccessScopesParams{ApiVersion: "1.0"},
		gatehouse.UpdateAccessScopesJSONRequestBody{{AccessScopeGuid: scopes[0], State: &planned}}))
	fmt.Println(len(*mapped.JSON200), (*changed.JSON200)[0].State)
	must(client.DeleteAccessScopeWithResponse(ctx, guid, scopes[0], &gatehouse.DeleteAccessScopeParams{ApiVersion: "1.0"}))
	must(client.DeleteAccessScopesWithResponse(ctx, guid, &gatehouse.DeleteAccessScopesParams{ApiVersion: "1.0"},
		gatehouse.DeleteAccessScopesJSONRequestBody{{AccessScopeGuid: scopes[1]}}))
	left := must(client.ListAccessScopesWithResponse(ctx, guid, &gatehouse.ListAccessScopesParams{ApiVersion: "1.0"}))
	fmt.Println(len(*left.JSON200))
}
