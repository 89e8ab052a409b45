/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, PresentApplicationQuery, PresentApplicationQueryVariables, PresentProfileQuery, PresentProfileQueryVariables, PresentRoleQuery, PresentRoleQueryVariables, PresentScopeQuery, PresentScopeQueryVariables, PresentTextsQuery, PresentTextsQueryVariables, PresentTypeQuery, PresentTypeQueryVariables, PresentUserQuery, PresentUserQueryVariables } from './graph';

export const presentApplication: Operation<PresentApplicationQuery, PresentApplicationQueryVariables> =
  { operationName: 'PresentApplication', documentId: 'sha256:618c5eaf2914938346ef90d414cfccaf4df6060233bd2aa5be168f42386a40a7' };
export const presentUser: Operation<PresentUserQuery, PresentUserQueryVariables> =
  { operationName: 'PresentUser', documentId: 'sha256:a483f8fa6c91337dc33510ba7da995fdcfcc414dd6d4d7e92480707f00422622' };
export const presentProfile: Operation<PresentProfileQuery, PresentProfileQueryVariables> =
  { operationName: 'PresentProfile', documentId: 'sha256:e69702d00a365f30feff03fb25b800891f6d483cdd061e011eada0b7ab0811d7' };
export const presentScope: Operation<PresentScopeQuery, PresentScopeQueryVariables> =
  { operationName: 'PresentScope', documentId: 'sha256:bc5e5490ac774bc0ba93b1311abdf3ad3068c09f9273dd541a37f721502b6f43' };
export const presentType: Operation<PresentTypeQuery, PresentTypeQueryVariables> =
  { operationName: 'PresentType', documentId: 'sha256:ccfd3a9ba66d9ebd1dfe39d6983e9a248d5c58348192a64b1bfb2ce9a309f23e' };
export const presentRole: Operation<PresentRoleQuery, PresentRoleQueryVariables> =
  { operationName: 'PresentRole', documentId: 'sha256:c999eeb6ef72de9ee534a453b8efd16f32f0cf9c9f2bf9bcda4e673650e7dadf' };
export const presentTexts: Operation<PresentTextsQuery, PresentTextsQueryVariables> =
  { operationName: 'PresentTexts', documentId: 'sha256:b084f9d1303799a6434181e33edc44931b302752ee11b8bb8dfff26507fed04b' };
