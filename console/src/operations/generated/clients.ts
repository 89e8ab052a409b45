/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ClientPageQuery, ClientPageQueryVariables, ClientRowsQuery, ClientRowsQueryVariables, CreateClientMutation, CreateClientMutationVariables, EndPreviousSecretMutation, EndPreviousSecretMutationVariables, RotateClientSecretMutation, RotateClientSecretMutationVariables, SetClientActiveMutation, SetClientActiveMutationVariables, UpdateClientMutation, UpdateClientMutationVariables } from './graph';

export const clientRows: Operation<ClientRowsQuery, ClientRowsQueryVariables> =
  { operationName: 'ClientRows', documentId: 'sha256:c6f05b1d3c8792f1b13ae594f17e6b135ca204dc2696183ee933c00991b272e4' };
export const clientPage: Operation<ClientPageQuery, ClientPageQueryVariables> =
  { operationName: 'ClientPage', documentId: 'sha256:a7e3ee31e1ffcc3f75fd58784e778516d4b0afa56450ed77b4d0912e852336f5' };
export const createClient: Operation<CreateClientMutation, CreateClientMutationVariables> =
  { operationName: 'CreateClient', documentId: 'sha256:cf943b37e526b0f0efb5750f7eb10f3a401de8c5671f37fe8204a759398d02db' };
export const updateClient: Operation<UpdateClientMutation, UpdateClientMutationVariables> =
  { operationName: 'UpdateClient', documentId: 'sha256:1b10cb7da533fbf9319da62cbb7f96dc1c1962389da7966c8cde5641266cf75f' };
export const rotateClientSecret: Operation<RotateClientSecretMutation, RotateClientSecretMutationVariables> =
  { operationName: 'RotateClientSecret', documentId: 'sha256:621dbc4ced622610b993d114cbcf59324b770bc9aefc9958bce592a995defa17' };
export const setClientActive: Operation<SetClientActiveMutation, SetClientActiveMutationVariables> =
  { operationName: 'SetClientActive', documentId: 'sha256:3bcdc720c3060f5624891b4440beac86992220565ee94696950dcf266922d9d5' };
export const endPreviousSecret: Operation<EndPreviousSecretMutation, EndPreviousSecretMutationVariables> =
  { operationName: 'EndPreviousSecret', documentId: 'sha256:234b271e40001b12eabd21230e49948c9e1cf60288bac393f42dfdc4ba2b5371' };
