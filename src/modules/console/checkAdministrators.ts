/** Says for `doctor` whether somebody can administer in the console. */
import { type Check, failed, passed } from '../../cli/finding.js';
import { canAnybodySignIn } from './administrators.js';

/** Fails in production if nobody can: the first administrator needs a command. */
export const checkAdministrators: Check = async ({ sql, config, areGood }) => {
  if (!areGood('ID_TOKEN_ISSUERS') || !config.production || !config.console) return [];
  const what = 'administrators';
  if (!config.idTokenIssuers?.some((issuer) => issuer.console))
    return [failed(what, 'nobody can sign in to the console: no entry of ID_TOKEN_ISSUERS has `console`')];
  if (await canAnybodySignIn({ sql, config })) return [passed(what, 'somebody can sign in to the console')];
  const text =
    'nobody can administer in the console: no user of a provider with `console` has a profile with a scope such as admin:read. Assign one with a token of bin/gatehouse admin-token';
  return [failed(what, text)];
};
