/** What a change set did to each record, part by part; each event with the versions that it made. */
import { type AuditedEvent, eventTitle, subjectName, subjectWords } from '../eventWords';
import { ask } from '../graph';
import { changeSetEvents, changeSetVersions } from '../operations/generated/history';
import { readToEnd } from '../readToEnd';
import { type Parts, useParts } from '../ui/PartList';
import { linkTitle, type Version } from './versions';

export interface RecordedEvent {
  event: AuditedEvent;
  versions: readonly Version[];
}

const eventsInPart = 50;

export const useEventsOf = (changeSetGuid: string): Parts<RecordedEvent> =>
  useParts(['change set', changeSetGuid], async (after, signal) => {
    const { changeSet } = await ask(changeSetEvents, { changeSetGuid, first: eventsInPart, after }, signal);
    const events = changeSet?.events;
    if (!events) return null;
    const recordKeys = events.nodes.map(({ subjectId }) => subjectId);
    const versions = await readToEnd(async (page) => {
      const answer = await ask(changeSetVersions, { changeSetGuid, recordKeys, ...page }, signal);
      return answer.changeSet?.versions;
    });
    const byKey = Map.groupBy(versions, ({ recordKey }) => recordKey);
    return { ...events, nodes: events.nodes.map((event) => ({ event, versions: byKey.get(event.subjectId) ?? [] })) };
  });

/** A removed record is described by its version. */
export const nameOfEvent = ({ event, versions: [version] }: RecordedEvent): string =>
  subjectName(event) ?? (version && linkTitle(version)) ?? subjectWords(event);

export const titleOfEvent = ({ event }: RecordedEvent): string => eventTitle(event);
