/** Requests for access by people without administration scopes, and the remedies from which their approvers choose. */
import { Arg, ID, Int, Mutation, Resolver, Root } from 'type-graphql';
import { Application } from '../../../entities/Application.js';
import { Proposal } from '../../../entities/Proposal.js';
import { DateTime, Json } from '../../../entities/scalars.js';
import { type LocalView, ShownApplication, Viewer } from '../../../graphql/resolvers/viewer.js';
import { Load, type Loader } from '../../../graphql/resolving/loaders.js';
import { ArgOf, Computed, Guarded, Member, Needs, Requires, Result } from '../../../graphql/schema/operations.js';
import type { Row } from '../../../services/read/select.js';
import {
  chooseRemedy,
  listedRequestsMax,
  listOwnRequests,
  listRemedies,
  listRequestable,
  type RequestRemedy as Remedy,
  type RequestableApplication as Requestable,
  requestAccess,
} from '../proposals/accessRequests.js';
import { openRequestsMax } from '../proposals/proposals.js';
import {
  IfRevisionOfProposal,
  readOwn,
  readOwnOrAny,
  readProposal,
  requireOwnFields,
  spendTrial,
} from './proposals.js';

@Result('An application that the viewer may request access to.')
class RequestableApplication extends ShownApplication implements Requestable {
  @Member(ID, 'Guid of the application.') applicationGuid!: string;
}

@Result('A change that opens the requested application, with no part that is not needed.')
class RequestRemedy implements Remedy {
  @Member(ID, 'Id of the remedy, for `chooseRemedy`.') remedyId!: string;
  @Member(String, 'What the change gives to whom, with every value that it sets.') title!: string;
  @Member(String, 'The change in words.') text!: string;
  @Member(Int, 'The number of other users who would gain access.') othersGaining!: number;
  @Member(Boolean, 'Whether the proposal has this change.') isChosen!: boolean;
  @Member([Json], 'The change, as `applyChanges` takes it.') changes!: object[];
}

@Resolver(() => Proposal)
export class AccessRequestResolver {
  @Mutation(() => Proposal, {
    description: `Requests access to an application for the caller. The service proposes the change that opens the application and gives access to the fewest other users; another person approves the proposal. Any valid access token is enough. The application must have isRequestable; a person can have at most ${openRequestsMax} open requests.`,
  })
  @Requires()
  async requestAccess(
    @ArgOf(Application, 'applicationGuid') applicationGuid: string,
    @Arg('reason', () => String, { description: 'Why the caller needs access; the approver reads it.' }) reason: string,
    @Arg('until', () => DateTime, { nullable: true, description: 'When the access ends; absent: it has no end.' })
    until: string | null | undefined,
    @Load() load: Loader,
  ) {
    requireOwnFields(load);
    const guid = await requestAccess(load.context, { applicationGuid, reason, until });
    return readOwnOrAny(load, guid);
  }

  @Mutation(() => Proposal, {
    description:
      'Replaces the change of an open request for access by another remedy. This increases the revision of the proposal. The caller must be allowed to approve the proposal with the old or with the new change.',
  })
  @Requires('admin:read')
  async chooseRemedy(
    @ArgOf(Proposal, 'proposalGuid') guid: string,
    @IfRevisionOfProposal() ifRevision: number,
    @Arg('remedyId', () => ID, { description: 'Id of the remedy.' }) remedyId: string,
    @Load() load: Loader,
  ) {
    await chooseRemedy(load.primary.context, guid, ifRevision, remedyId);
    return readProposal(load, guid);
  }

  @Computed(
    [RequestRemedy],
    'For an open request: the changes that would open the application now, ordered by the number of other users who would gain access. Counts as a proposal with `effect`.',
  )
  @Needs(Proposal, 'proposalGuid', 'requestedApplicationGuid')
  @Guarded(Proposal)
  remedies(@Root() { proposalGuid, requestedApplicationGuid }: Row, @Load() { context }: Loader) {
    if (!requestedApplicationGuid) return [];
    spendTrial(context);
    return listRemedies(context, String(proposalGuid));
  }
}

@Resolver(() => Viewer)
export class OwnRequestsResolver {
  @Computed(
    [Proposal],
    `The viewer’s own requests for access: first the open ones, then the newest, at most ${listedRequestsMax}. Without admin:read, only fields of the requests themselves can be read, without changes and effect.`,
  )
  async requests(@Load() load: Loader) {
    requireOwnFields(load);
    return readOwn(load, await listOwnRequests(load.context));
  }

  @Computed(
    [RequestableApplication],
    'The applications that the viewer may request access to, ordered by name. Applications that a profile of the viewer opens, or that the viewer has requested already, are left out.',
  )
  requestable(@Root() { languageCode }: LocalView, @Load() { context }: Loader) {
    return listRequestable(context, languageCode);
  }
}
