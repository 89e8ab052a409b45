/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, EventDeliveriesQuery, EventDeliveriesQueryVariables, EventStreamsQuery, EventStreamsQueryVariables, ReplayEventsMutation, ReplayEventsMutationVariables, RotateEventStreamSecretMutation, RotateEventStreamSecretMutationVariables, SendTestEventMutation, SendTestEventMutationVariables, SetEventStreamStatusMutation, SetEventStreamStatusMutationVariables } from './graph';

export const eventStreams: Operation<EventStreamsQuery, EventStreamsQueryVariables> =
  { operationName: 'EventStreams', documentId: 'sha256:e9892134d74bb883ff5acc41f3f63961ca95dda897f97d8ead7bb01123398773' };
export const eventDeliveries: Operation<EventDeliveriesQuery, EventDeliveriesQueryVariables> =
  { operationName: 'EventDeliveries', documentId: 'sha256:73ac7f9ef2e9ed2dfa890b2fa915dbae3d596ec30c6ff057f3f2530b22a16ec3' };
export const setEventStreamStatus: Operation<SetEventStreamStatusMutation, SetEventStreamStatusMutationVariables> =
  { operationName: 'SetEventStreamStatus', documentId: 'sha256:613a0fb2b127e51be91f825985bc501e19fa16c05066ec2a86841f65b60cddfe' };
export const sendTestEvent: Operation<SendTestEventMutation, SendTestEventMutationVariables> =
  { operationName: 'SendTestEvent', documentId: 'sha256:73d93a3a3a5821fce37ec0057116c4f3f18c59f4a0b64a59ab037a97536bdc68' };
export const rotateEventStreamSecret: Operation<RotateEventStreamSecretMutation, RotateEventStreamSecretMutationVariables> =
  { operationName: 'RotateEventStreamSecret', documentId: 'sha256:c6820b683d38be35abf3d76427a5ad3aad5da08f7ac13c2eb56f48fb652ee54c' };
export const replayEvents: Operation<ReplayEventsMutation, ReplayEventsMutationVariables> =
  { operationName: 'ReplayEvents', documentId: 'sha256:90b83648a97e17f722fda54c8a3580f6b201199b16ddb873332dcb0104f65707' };
