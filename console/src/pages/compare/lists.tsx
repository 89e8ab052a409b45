/** What is compared of two profiles or two users: how each list is read, and how an item of it is shown. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ask } from '../../graph';
import {
  profilesApplications,
  profilesPeople,
  profilesScopes,
  usersApplications,
  usersProfiles,
  usersScopes,
} from '../../operations/generated/compare';
import type {
  ApplicationPartFragment,
  PersonComparedFragment,
  ScopePartFragment,
} from '../../operations/generated/graph';
import { OutOfUse } from '../../ui/Badge';
import { IconTile, Tile } from '../../ui/Tile';
import { entryOf, fullName } from '../../words';

export const sides = ['onlyLeft', 'both', 'onlyRight'] as const;
export type Side = (typeof sides)[number];

export interface Pair {
  left: string;
  right: string;
}

export interface ComparedItem {
  key: string;
  name: string;
  content: ReactNode;
}

interface Part<Node> {
  totalCount: number;
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  nodes: readonly Node[];
}

type ComparedPart = Part<ComparedItem>;
type ComparedSides = { [side in Side]?: ComparedPart };

export interface ComparedList {
  key: string;
  label: string;
  /** The first part of each side. */
  readFirst: (pair: Pair, signal: AbortSignal) => Promise<ComparedSides>;
  /** Reads on in one side. */
  readOn: (pair: Pair, side: Side, after: string, signal: AbortSignal) => Promise<ComparedPart | undefined>;
}

const inPart = 24;

/** @param wanted undefined: all sides */
const variables = (pair: Pair, wanted: Side | undefined, after: string | null) => ({
  ...pair,
  first: inPart,
  after,
  isLeft: (wanted ?? 'onlyLeft') === 'onlyLeft',
  isBoth: (wanted ?? 'both') === 'both',
  isRight: (wanted ?? 'onlyRight') === 'onlyRight',
});

type Sides<Node> = { [side in Side]?: Part<Node> };

/** @param read the sides that are asked for */
function listOf<Node extends object>(
  key: string,
  label: string,
  read: (asked: ReturnType<typeof variables>, signal?: AbortSignal) => Promise<Sides<Node>>,
  itemOf: (node: Node) => ComparedItem,
): ComparedList {
  const shown = (part: Part<Node> | undefined): ComparedPart | undefined =>
    part && { ...part, nodes: part.nodes.map(itemOf) };
  return {
    key,
    label,
    readFirst: async (pair, signal) => {
      const all = await read(variables(pair, undefined, null), signal);
      return Object.fromEntries(sides.map((side) => [side, shown(all[side])]));
    },
    readOn: async (pair, side, after, signal) => shown((await read(variables(pair, side, after), signal))[side]),
  };
}

type Scope = ScopePartFragment['nodes'][number];
const scopeItem = ({ accessScopeGuid: guid, name, accessScopeType, isActive, ...key }: Scope): ComparedItem => ({
  key: guid,
  name,
  content: (
    <Link className="with-tile" to="/scopes/$guid" params={{ guid }}>
      <IconTile icon="scope" size="small" />
      <span className="two-lines">
        <b>{name}</b>
        <small>{entryOf(accessScopeType, key)}</small>
      </span>
      <OutOfUse isActive={isActive} tiny />
    </Link>
  ),
});

type Application = ApplicationPartFragment['nodes'][number];
const applicationItem = ({ applicationGuid: guid, name, appType, isActive }: Application): ComparedItem => ({
  key: guid,
  name,
  content: (
    <Link className="with-tile" to="/applications/$guid" params={{ guid }}>
      <Tile name={name} size="small" />
      <span className="two-lines">
        <b>{name}</b>
        <small>{appType}</small>
      </span>
      <OutOfUse isActive={isActive} tiny />
    </Link>
  ),
});

export const personItem = (person: PersonComparedFragment): ComparedItem => ({
  key: person.userGuid,
  name: fullName(person),
  content: (
    <Link className="with-tile" to="/users/$guid" params={{ guid: person.userGuid }}>
      <Tile name={fullName(person)} round size="small" />
      <span className="two-lines">
        <b>{fullName(person)}</b>
        <small>{[person.email, person.department].filter(Boolean).join(' · ')}</small>
      </span>
    </Link>
  ),
});

const profileItem = ({ profileId: id, name }: { profileId: string; name: string }): ComparedItem => ({
  key: id,
  name,
  content: (
    <Link className="with-tile" to="/profiles/$id" params={{ id }}>
      <IconTile icon="profile" size="small" />
      <span className="two-lines">
        <b>{name}</b>
        <small>{id}</small>
      </span>
    </Link>
  ),
});

export const listsOfProfiles: readonly ComparedList[] = [
  listOf(
    'scopes',
    'Access scopes',
    async (asked, signal) => (await ask(profilesScopes, asked, signal)).compareProfiles.scopes,
    scopeItem,
  ),
  listOf(
    'applications',
    'Applications',
    async (asked, signal) => (await ask(profilesApplications, asked, signal)).compareProfiles.applications,
    applicationItem,
  ),
  listOf(
    'people',
    'People',
    async (asked, signal) => (await ask(profilesPeople, asked, signal)).compareProfiles.people,
    personItem,
  ),
];

export const listsOfUsers: readonly ComparedList[] = [
  listOf(
    'profiles',
    'Profiles',
    async (asked, signal) => (await ask(usersProfiles, asked, signal)).compareUsers.profiles,
    profileItem,
  ),
  listOf(
    'scopes',
    'Access scopes',
    async (asked, signal) => (await ask(usersScopes, asked, signal)).compareUsers.scopes,
    scopeItem,
  ),
  listOf(
    'applications',
    'Applications',
    async (asked, signal) => (await ask(usersApplications, asked, signal)).compareUsers.applications,
    applicationItem,
  ),
];
