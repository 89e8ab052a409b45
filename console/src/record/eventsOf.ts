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

export const useEventsOf = (changeSetGuid: string, inPart = 50): Parts<RecordedEvent> =>
  useParts(['change set', changeSetGuid, inPart], async (after, signal) => {
    const { changeSet } = await ask(changeSetEvents, { changeSetGuid, first: inPart, after }, signal);
    const events = changeSet?.events;
    if (!events) return null;
    const recordKeys = events.nodes.map(({ subjectId }) => subjectId);
    const versions = await readToEnd(async (page) => {
      const answer = await ask(changeSetVersions, { changeSetGuid, recordKeys, ...page }, signal);
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
