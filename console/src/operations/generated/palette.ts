/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, FindQuery, FindQueryVariables } from './graph';

export const find: Operation<FindQuery, FindQueryVariables> =
  "query Find($text:String!){search(text:$text first:5){kind id label hint}}";
