/** What a change set did to each record, part by part; each event with the versions that it made. */
import { type AuditedEvent, goneWords, subjectName } from '../eventWords';
import { ask } from '../graph';
import { changeSetEvents, changeSetVersions } from '../operations/generated/history';
import { readToEnd } from '../readToEnd';
import { type Parts, useParts } from '../ui/PartList';
import { linkTitle, recordedName, subjectTypeOf, type Version } from './versions';

export interface RecordedEvent {
  event: AuditedEvent;
  versions: readonly Version[];
}

/** Before the cursors of versions. */
const pastService = 'versions ';

/** A change past the service (SQL) has versions, and no events: each is what an event would say of it. */
async function readPastService(changeSetGuid: string, first: number, after: string | null, signal: AbortSignal) {
  const { changeSet } = await ask(changeSetVersions, { changeSetGuid, first, after }, signal);
  const versions = changeSet?.versions;
  if (!versions) return null;
  const { endCursor } = versions.pageInfo;
  const eventOf = (version: Version): AuditedEvent => ({
    auditEventId: version.recordVersionId,
    action: version.action,
    subjectType: subjectTypeOf(version),
    subjectId: version.recordKey,
    detail: null,
    record: null,
  });
  return {
    ...versions,
    pageInfo: { ...versions.pageInfo, endCursor: endCursor && pastService + endCursor },
    nodes: versions.nodes.map((version) => ({ event: eventOf(version), versions: [version] })),
  };
}

export const useEventsOf = (changeSetGuid: string, inPart = 50): Parts<RecordedEvent> =>
  useParts(['change set', changeSetGuid, inPart], async (after, signal) => {
    if (after?.startsWith(pastService))
      return readPastService(changeSetGuid, inPart, after.slice(pastService.length), signal);
    const { changeSet } = await ask(changeSetEvents, { changeSetGuid, first: inPart, after }, signal);
    const events = changeSet?.events;
    if (!events) return null;
    if (events.totalCount === 0) return readPastService(changeSetGuid, inPart, null, signal);
    const filter = { recordKey: { in: events.nodes.map(({ subjectId }) => subjectId) } };
    const versions = await readToEnd(async (page) => {
      const answer = await ask(changeSetVersions, { changeSetGuid, filter, ...page }, signal);
      return answer.changeSet?.versions;
    });
    const byKey = Map.groupBy(versions, ({ recordKey }) => recordKey);
    // records of several kinds may have the same number
    const versionsOf = ({ subjectId, subjectType }: AuditedEvent) =>
      (byKey.get(subjectId) ?? []).filter((version) => subjectTypeOf(version) === subjectType);
    return { ...events, nodes: events.nodes.map((event) => ({ event, versions: versionsOf(event) })) };
  });

/** A removed record is described by its version. */
export const nameOfEvent = ({ event, versions: [version] }: RecordedEvent): string =>
  subjectName(event) ?? (version && (linkTitle(version) ?? recordedName(version))) ?? goneWords(event);
