/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, ApproveProposalMutation, ApproveProposalMutationVariables, ChooseRemedyMutation, ChooseRemedyMutationVariables, ProposalCountsQuery, ProposalCountsQueryVariables, ProposalDetailQuery, ProposalDetailQueryVariables, ProposalListQuery, ProposalListQueryVariables, ProposeChangesMutation, ProposeChangesMutationVariables, RejectProposalMutation, RejectProposalMutationVariables, WithdrawProposalMutation, WithdrawProposalMutationVariables } from './graph';

export const proposalList: Operation<ProposalListQuery, ProposalListQueryVariables> =
  { operationName: 'ProposalList', documentId: 'sha256:f6f572ec93aa84f3013140e84301eeee0f2535477ca12451ebd486bf35eb1311' };
export const proposalCounts: Operation<ProposalCountsQuery, ProposalCountsQueryVariables> =
  { operationName: 'ProposalCounts', documentId: 'sha256:2af507d99eb2a5b2ace63f3d667f3b21556578d23dc2863d10b5c5aa034f9184' };
export const proposalDetail: Operation<ProposalDetailQuery, ProposalDetailQueryVariables> =
  { operationName: 'ProposalDetail', documentId: 'sha256:04916c9aa888494e44c0938c224bd1faf16d8bce1f6ffac0cae29ddd23f0587c' };
export const approveProposal: Operation<ApproveProposalMutation, ApproveProposalMutationVariables> =
  { operationName: 'ApproveProposal', documentId: 'sha256:782b9aaab329be0ab3cc7fbcef56d3a0145b9f61d837b6425466b05d40766d7e' };
export const rejectProposal: Operation<RejectProposalMutation, RejectProposalMutationVariables> =
  { operationName: 'RejectProposal', documentId: 'sha256:234f9a6a19319cd1be5a81350625d1179eb8e2630ac503470b852af6e5ae7a99' };
export const withdrawProposal: Operation<WithdrawProposalMutation, WithdrawProposalMutationVariables> =
  { operationName: 'WithdrawProposal', documentId: 'sha256:0d209f219d8a791e9840362506530aa3496df4c278ed5b2df2a1a92528536606' };
export const proposeChanges: Operation<ProposeChangesMutation, ProposeChangesMutationVariables> =
  { operationName: 'ProposeChanges', documentId: 'sha256:fb40e9233031740279bb0b665b386446648b27f72961dd690c321dbe6eea2bb2' };
export const chooseRemedy: Operation<ChooseRemedyMutation, ChooseRemedyMutationVariables> =
  { operationName: 'ChooseRemedy', documentId: 'sha256:e03f529bf33b588eeffba9c19597669a2cdb2ee25567cbad9439dd566b025628' };
