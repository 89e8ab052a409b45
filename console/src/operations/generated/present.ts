/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, PresentApplicationQuery, PresentApplicationQueryVariables, PresentProfileQuery, PresentProfileQueryVariables, PresentRoleQuery, PresentRoleQueryVariables, PresentScopeQuery, PresentScopeQueryVariables, PresentTextsQuery, PresentTextsQueryVariables, PresentTypeQuery, PresentTypeQueryVariables, PresentUserQuery, PresentUserQueryVariables } from './graph';

export const presentApplication: Operation<PresentApplicationQuery, PresentApplicationQueryVariables> =
  { operationName: 'PresentApplication', documentId: 'sha256:1e7093c20b344889a359dcf3f3772422bd4601fc252a5e5713feb79096f03d80' };
export const presentUser: Operation<PresentUserQuery, PresentUserQueryVariables> =
  { operationName: 'PresentUser', documentId: 'sha256:09d037c6082a138abd44f07a7703c873d7a46dac2905c3253b67f534551dbc32' };
export const presentProfile: Operation<PresentProfileQuery, PresentProfileQueryVariables> =
  { operationName: 'PresentProfile', documentId: 'sha256:8eaab40a92df9967eccb790a62f0997c2100b0bc3006b8f038b820229c1d6176' };
export const presentScope: Operation<PresentScopeQuery, PresentScopeQueryVariables> =
  { operationName: 'PresentScope', documentId: 'sha256:a22de66cc9b36548fc93a4ae524c75d2e299074cee497d4c445fbca1b38668d8' };
export const presentType: Operation<PresentTypeQuery, PresentTypeQueryVariables> =
  { operationName: 'PresentType', documentId: 'sha256:54903a366957e0ef9e37b9e9ad54f79fc6a7171e0c859359af6eb02d14934e13' };
export const presentRole: Operation<PresentRoleQuery, PresentRoleQueryVariables> =
  { operationName: 'PresentRole', documentId: 'sha256:9035bdda7884ec09d07395d92f0143e48a5ba1dc9abe14c22996034592b95640' };
export const presentTexts: Operation<PresentTextsQuery, PresentTextsQueryVariables> =
  { operationName: 'PresentTexts', documentId: 'sha256:7d6e66de85414db7a4071c1e9fa30c3948e67f081dc6f444320d3b5c53627a45' };
