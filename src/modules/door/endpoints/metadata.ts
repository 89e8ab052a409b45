/** Publishes the metadata of `/verify` (RFC 9728) and of the decision point (AuthZEN 1.0 §9). */
import type { Dependencies } from '../../../context.js';
import { type PublishDocuments, resourceDocument } from '../../../rest/token/metadata.js';

/** AuthZEN 1.0 §9.2 puts the well-known name between host and path. */
function authzenPaths({ config, issuerUrl }: Dependencies): string[] {
  const { pathname } = new URL(issuerUrl);
  const name = '/.well-known/authzen-configuration';
  return [...new Set([`${name}${pathname.replace(/\/$/, '')}`, `${config.basePath}${name}`])];
}

/** AuthZEN 1.0 §9.1. */
export const decisionPointMetadata = ({ issuerUrl }: Pick<Dependencies, 'issuerUrl'>): object => ({
  policy_decision_point: issuerUrl,
  access_evaluation_endpoint: `${issuerUrl}/access/v1/evaluation`,
  access_evaluations_endpoint: `${issuerUrl}/access/v1/evaluations`,
});

export const publishDoor: PublishDocuments = (dependencies) => [
  ...(dependencies.config.verify
    ? [resourceDocument(dependencies, { path: 'verify', name: 'APIs behind a proxy that asks Gatehouse' })]
    : []),
  { paths: authzenPaths(dependencies), read: () => decisionPointMetadata(dependencies) },
];
