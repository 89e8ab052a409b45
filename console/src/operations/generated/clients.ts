/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ClientPageQuery, ClientPageQueryVariables, ClientRowsQuery, ClientRowsQueryVariables, CreateClientMutation, CreateClientMutationVariables, EndPreviousSecretMutation, EndPreviousSecretMutationVariables, RotateClientSecretMutation, RotateClientSecretMutationVariables, SetClientActiveMutation, SetClientActiveMutationVariables, UpdateClientMutation, UpdateClientMutationVariables } from './graph';

export const clientRows: Operation<ClientRowsQuery, ClientRowsQueryVariables> =
  "query ClientRows($first:Int$after:String$last:Int$before:String$filter:ClientFilter$orderBy:[ClientOrderBy!]$isFirst:Boolean!){clients(first:$first after:$after last:$last before:$before filter:$filter orderBy:$orderBy){totalCount pageInfo{...EndsOf}nodes{clientId name description isActive createdAt secretLastUsedAt keysLastUsedAt previousSecretEndsAt policyReadiness{state}}}policyReadiness@include(if:$isFirst){tokenPolicy days clients ready notReady notSeen unready{clientId client{name}findings{operation text}}ofNobody{operation text count}}}fragment EndsOf on PageInfo{hasNextPage endCursor hasPreviousPage startCursor}";
export const clientPage: Operation<ClientPageQuery, ClientPageQueryVariables> =
  "query ClientPage($clientId:ID!$usedBy:String!$usages:Int!){client(clientId:$clientId){clientId name description isActive createdAt revision secretLastUsedAt keysLastUsedAt previousSecretEndsAt previousSecretLastUsedAt policy policyReadiness{state judged findings{operation reason text advice count lastSeenAt}}tokens(first:0 filter:{isRevoked:{eq:false}}){totalCount}}usage(clientId:$usedBy first:$usages){...UsageOf}}fragment UsageOf on Usage{operation option mediaType product firstSeenAt lastSeenAt count brownouts}";
export const createClient: Operation<CreateClientMutation, CreateClientMutationVariables> =
  "mutation CreateClient($input:CreateClientInput!){createClient(input:$input){clientSecret}}";
export const updateClient: Operation<UpdateClientMutation, UpdateClientMutationVariables> =
  "mutation UpdateClient($clientId:ID!$input:UpdateClientInput!$ifRevision:Int){updateClient(clientId:$clientId input:$input ifRevision:$ifRevision){revision}}";
export const rotateClientSecret: Operation<RotateClientSecretMutation, RotateClientSecretMutationVariables> =
  "mutation RotateClientSecret($clientId:ID!$keepPreviousHours:Int$ifRevision:Int){rotateClientSecret(clientId:$clientId keepPreviousHours:$keepPreviousHours ifRevision:$ifRevision){clientSecret}}";
export const setClientActive: Operation<SetClientActiveMutation, SetClientActiveMutationVariables> =
  "mutation SetClientActive($clientId:ID!$isActive:Boolean!$ifRevision:Int){setClientActive(clientId:$clientId isActive:$isActive ifRevision:$ifRevision){isActive}}";
export const endPreviousSecret: Operation<EndPreviousSecretMutation, EndPreviousSecretMutationVariables> =
  "mutation EndPreviousSecret($clientId:ID!$ifRevision:Int){endPreviousSecret(clientId:$clientId ifRevision:$ifRevision){revision}}";
