/** GraphQL's validation of a document. What it says of a literal is made from its place and type, never from its value. */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  Kind,
  NoSchemaIntrospectionCustomRule,
  specifiedRules,
  type ValidationContext,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
  validate,
} from 'graphql';
import {
  type InputPath,
  isNotOne,
  isOfWrongType,
  isRequired,
  isUnknown,
  mustNotBeNull,
  pathText,
} from './inputFaults.js';
import { findLiteral } from './inputPlaces.js';

const errorsMax = 50;

/** What is wrong with a document; nothing where it may be executed. */
export function validateDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  showsSchema: boolean,
): readonly GraphQLError[] {
  return validate(schema, document, showsSchema ? rules : [...rules, NoSchemaIntrospectionCustomRule], {
    maxErrors: errorsMax,
    // suggestions would tell the schema to those who may not read it
    hideSuggestions: true,
  });
}

const literalsOfCorrectType: ValidationRule = (context) =>
  ValuesOfCorrectTypeRule(
    Object.create(context, {
      reportError: { value: (error: GraphQLError) => context.reportError(ofLiteral(context, error)) },
    }) as ValidationContext,
  );

const rules = specifiedRules.map((rule) => (rule === ValuesOfCorrectTypeRule ? literalsOfCorrectType : rule));

/** The same error in other words: those that services use, at the input path. */
function ofLiteral(context: ValidationContext, { nodes, message }: GraphQLError): GraphQLError {
  const node = nodes?.[0];
  if (!node) throw new Error('a literal has no place', { cause: message });
  const { path } = findLiteral(context.getDocument(), node) ?? { path: ['value'] };
  const [at, text] = fault(context, path, node.kind, message);
  return new GraphQLError(`${pathText(at)}: ${text}`, {
    nodes: node,
    extensions: { problems: { [pathText(at)]: [text] } },
  });
}

function fault(context: ValidationContext, path: InputPath, kind: Kind, message: string): [InputPath, string] {
  const type = context.getInputType()!;
  const named = getNamedType(type);
  if (kind === Kind.OBJECT_FIELD && !context.getInputType()) return [path, isUnknown(path)];
  if (kind === Kind.NULL) return [path, mustNotBeNull(path)];
  if (kind !== Kind.OBJECT || !isInputObjectType(named)) return [path, isOfWrongType(path, type)];
  // begins with our own names
  const missing = Object.keys(named.getFields()).find((name) =>
    message.startsWith(`Field "${named.name}.${name}" of `),
  );
  if (missing === undefined) return [path, isNotOne(path)];
  const at = [...path, missing];
  return [at, isRequired(at)];
}
