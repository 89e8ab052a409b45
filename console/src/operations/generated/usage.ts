/** Written by `npm run generate` from the operations beside this folder. */
import type { Operation, UsageRowsQuery, UsageRowsQueryVariables } from './graph';

export const usageRows: Operation<UsageRowsQuery, UsageRowsQueryVariables> =
  "query UsageRows($first:Int!$operation:String$since:DateTime$clientId:String$brownedOut:Boolean){usage(first:$first operation:$operation since:$since clientId:$clientId brownedOut:$brownedOut){clientId client{name}caller callerNavigation{firstName lastName email}...UsageOf}}fragment UsageOf on Usage{operation option mediaType product firstSeenAt lastSeenAt count brownouts}";
