/** For graphql-codegen: `npx graphql-codegen --config codegen.ts`, with the operations of this folder or your own. */
import type { CodegenConfig } from '@graphql-codegen/cli';

const config: CodegenConfig = {
  // the schema of a running service: { 'https://auth.example.com/schema.graphql': { headers: { authorization: `Bearer ${process.env.TOKEN}` } } }
  schema: '../../schema.graphql',
  documents: '*.graphql',
  generates: {
    'generated/': {
      preset: 'client',
      // the manifest for GRAPHQL_DOCUMENTS
      presetConfig: { persistedDocuments: true },
      config: {
        // DateTime is ISO 8601 with milliseconds and Z; UUID is in lower case
        scalars: { UUID: 'string', DateTime: 'string', JSON: 'unknown' },
        useTypeImports: true,
      },
    },
  },
};

export default config;
