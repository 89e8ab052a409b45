/** Documents are judged once: limits, texts that no record can hold, GraphQL's validation. */
import { type DocumentNode, GraphQLError, type GraphQLSchema, visit } from 'graphql';
import type { Config } from '../../config/config.js';
import { isStorable } from '../../entities/storableText.js';
import { badInput } from '../../errors.js';
import { bytesOf } from './keptDocuments.js';
import { requireSmallDocument } from './limits.js';
import { validateDocument } from './validation.js';

interface CheckedDocument {
  /** Why it can't be executed; empty when it can. */
  errors: readonly GraphQLError[];
  /** What it takes in memory, compiled, in bytes, about. */
  weight: number;
}

/** Of the JavaScript that a selection becomes, and what the engine makes of it. */
const bytesOfSelection = 2_000;

export function openDocumentCheck(
  schema: GraphQLSchema,
  config: Config,
  showsSchema: boolean,
): (document: DocumentNode) => CheckedDocument {
  const judged = new WeakMap<DocumentNode, CheckedDocument>();
  const checkDocument = (document: DocumentNode): CheckedDocument => {
    try {
      const selections = requireSmallDocument(schema, config, document);
      requireStorableTexts(document);
      const weight = bytesOf(document) + selections * bytesOfSelection;
      return { errors: validateDocument(schema, document, showsSchema).map(asInvalid), weight };
    } catch (error) {
      return { errors: [asGraphqlError(error)], weight: 0 };
    }
  };
  return (document) => {
    const known = judged.get(document) ?? checkDocument(document);
    judged.set(document, known);
    return known;
  };
}

/** NUL and lone surrogates in a document's texts, which escapes can make. Throws BAD_USER_INPUT. */
function requireStorableTexts(document: DocumentNode): void {
  visit(document, {
    StringValue({ value, loc }) {
      if (!isStorable(value))
        throw badInput({ [`query at ${loc?.start ?? 0}`]: ['The text holds a NUL or a lone surrogate.'] });
    },
  });
}

const asInvalid = ({ message, nodes, extensions }: GraphQLError): GraphQLError =>
  new GraphQLError(message, { nodes: nodes ?? null, extensions: { ...extensions, code: 'GRAPHQL_VALIDATION_FAILED' } });

export const asGraphqlError = (error: unknown, path?: GraphQLError['path']): GraphQLError =>
  new GraphQLError((error as Error).message, { originalError: error as Error, path });
