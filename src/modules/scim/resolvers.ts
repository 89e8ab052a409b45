/** Reads what connectors manage. */
import { Int, Resolver, Root } from 'type-graphql';
import { Connector } from '../../entities/Connector.js';
import { User } from '../../entities/User.js';
import { Load, type Loader } from '../../graphql/resolving/loaders.js';
import { ComputedOrNull, Guarded, Member, Needs, Result } from '../../graphql/schema/operations.js';
import { countManaged } from './managedByConnectors.js';

@Result('What a connector manages.')
class ManagedByConnector {
  @Member(Int, 'The number of people of its identity provider that it sees, blocked ones too.') people!: number;
  @Member(Int, 'The number of assignments of profiles that it made.') assignments!: number;
  @Member(Int, 'The number of profiles of these assignments.') profiles!: number;
}

@Resolver(() => Connector)
export class ManagedByConnectorResolver {
  @ComputedOrNull(ManagedByConnector, 'What the connector manages.')
  @Guarded(User)
  @Needs(Connector, 'connectorId')
  manages(@Root() { connectorId }: Connector, @Load() load: Loader) {
    return load.batched(connectorId, (ids: readonly string[]) => countManaged(load.context, ids));
  }
}
