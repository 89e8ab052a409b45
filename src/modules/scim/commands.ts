/** The commands of connectors (SCIM). */
import { changingOptions, withChanges } from '../../cli/changing.js';
import { type Command, readKeepPreviousHours, textTable } from '../../cli/command.js';
import { notice, print, printSecret, withContext } from '../../cli/session.js';

const services = () => import('./connectors.js');

export const connectorCommands: Command[] = [
  {
    words: 'connector create',
    summary: 'Creates a connector for SCIM and prints its token, which is shown only once.',
    details: [
      'It manages the users with one idpname, and assigns profiles that have an externalGroup, in one role. Its token is valid',
      'only at /scim. With --client, that client may also request tokens for it (client_credentials).',
    ],
    takes: ['NAME'],
    options: {
      idpname: { value: 'IDPNAME', doc: 'the idpname of its users, as in ID_TOKEN_ISSUERS', required: true },
      role: { value: 'ROLE', doc: 'id of the role in which it assigns profiles', required: true },
      client: { value: 'ID', doc: 'a client that may request tokens for it' },
      ...changingOptions,
    },
    example: 'entra --idpname entra --role technician',
    run: ({ arguments: { NAME: connectorId }, options }) =>
      withChanges(options, async (context) => {
        const { idpname, role, client } = options;
        const { createConnector } = await services();
        const input = { connectorId: connectorId!, idpname: idpname!, roleId: role!, clientId: client ?? null };
        const { token } = await createConnector(context, input);
        const isIssuer = context.config.idTokenIssuers?.some((issuer) => issuer.idpname === idpname) ?? true;
        if (!isIssuer) notice(`No entry of ID_TOKEN_ISSUERS has the idpname ${idpname}: its users can't sign in yet.`);
        await printSecret(context, token, `The connector ${connectorId} is created.`);
      }),
  },
  {
    words: 'connector list',
    summary: 'Shows the connectors, without their tokens.',
    run: () =>
      withContext(async (context) => {
        const connectors = await (await services()).listConnectors(context);
        const rows = connectors.map((connector) => [
          connector.connectorId,
          connector.idpname,
          connector.roleId,
          connector.clientId ?? '-',
          connector.isRevoked ? 'revoked' : 'valid',
          connector.previousTokenEndsAt ?? '-',
          connector.lastUsedAt ?? '-',
        ]);
        await print(
          textTable([['name', 'idpname', 'role', 'client', 'state', 'previous token until', 'last used'], ...rows]),
        );
      }),
  },
  {
    words: 'connector rotate',
    summary: 'Gives a connector a new token and prints it. It is shown only once.',
    details: ['The previous token stops at once, unless you keep it for some hours. A revoked connector works again.'],
    takes: ['NAME'],
    options: {
      'keep-previous-hours': { value: 'N', doc: 'hours for which the previous token still works (0)' },
      ...changingOptions,
    },
    run: ({ arguments: { NAME: connectorId }, options }) => {
      const hours = readKeepPreviousHours(options);
      return withChanges(options, async (context) => {
        const { rotateConnectorToken } = await services();
        const { token } = await rotateConnectorToken(context, connectorId!, hours);
        await printSecret(context, token, `The connector ${connectorId} has a new token.`);
      });
    },
  },
  {
    words: 'connector revoke',
    summary: 'Revokes a connector: its next request is refused. Its users and their profiles stay.',
    takes: ['NAME'],
    options: changingOptions,
    run: ({ arguments: { NAME: connectorId }, options }) =>
      withChanges(options, async (context) => {
        await (await services()).revokeConnector(context, connectorId!);
        notice(`The connector ${connectorId} is revoked.`);
      }),
  },
];
