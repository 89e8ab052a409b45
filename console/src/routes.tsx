/** Every view has an address; what it shows is in its search. Pages are read when they are first asked for. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { textsOf } from './address';
import { unreachable } from './graph';
import { Shell } from './shell/Shell';
import { NotFound } from './ui/Empty';
import { Failure } from './ui/Failure';

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
});

/** Whether the service answers; it may lead to the sign-in. */
const isThere = () =>
  fetch(document.baseURI, { method: 'HEAD', cache: 'no-store', redirect: 'manual' }).then(
    ({ status }) => status < 500,
    () => false,
  );

/** A page whose chunk can't be had while the service is away is a failure inside the console: a reload would end it. */
const page = <Chunk extends object, Name extends keyof Chunk>(load: () => Promise<Chunk>, name: Name) =>
  lazyRouteComponent(
    () =>
      load().catch(async (error) => {
        throw (await isThere()) ? error : unreachable();
      }),
    name,
  );
const parent = { getParentRoute: () => root };
const list = textsOf('q', 'sort', 'view', 'type');
const tab = textsOf('tab', 'q', 'sort', 'view');
const compared = textsOf('left', 'right', 'view');
const holders = textsOf('tab', 'q', 'sort', 'view', 'department', 'role', 'used', 'ends');

const home = createRoute({
  ...parent,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/overview' });
  },
});
/** Each page is a chunk of its own. */
const pages = [
  createRoute({
    ...parent,
    path: '/applications',
    validateSearch: list,
    component: page(() => import('./pages/Applications'), 'Applications'),
  }),
  createRoute({
    ...parent,
    path: '/applications/new',
    component: page(() => import('./pages/NewApplication'), 'NewApplication'),
  }),
  createRoute({
    ...parent,
    path: '/applications/$guid',
    validateSearch: tab,
    component: page(() => import('./pages/Application'), 'Application'),
  }),
  createRoute({
    ...parent,
    path: '/overview',
    component: page(() => import('./pages/Overview'), 'Overview'),
  }),
  createRoute({
    ...parent,
    path: '/inbox',
    validateSearch: textsOf('view', 'q', 'proposal'),
    component: page(() => import('./pages/Inbox'), 'Inbox'),
  }),
  createRoute({
    ...parent,
    path: '/reviews',
    validateSearch: textsOf('view'),
    component: page(() => import('./pages/Reviews'), 'Reviews'),
  }),
  createRoute({
    ...parent,
    path: '/reviews/$guid',
    validateSearch: textsOf('view', 'q', 'sort', 'owner'),
    component: page(() => import('./pages/Review'), 'Review'),
  }),
  createRoute({
    ...parent,
    path: '/matrix',
    validateSearch: textsOf('type', 'q', 'as'),
    component: page(() => import('./pages/Matrix'), 'Matrix'),
  }),
  createRoute({
    ...parent,
    path: '/why',
    validateSearch: textsOf('user', 'application'),
    component: page(() => import('./pages/Why'), 'Why'),
  }),
  createRoute({
    ...parent,
    path: '/users',
    validateSearch: textsOf('q', 'sort', 'view', 'profile', 'role', 'department', 'seen', 'managed'),
    component: page(() => import('./pages/Users'), 'Users'),
  }),
  createRoute({
    ...parent,
    path: '/users/new',
    component: page(() => import('./pages/NewPerson'), 'NewPerson'),
  }),
  createRoute({
    ...parent,
    path: '/users/$guid',
    validateSearch: tab,
    component: page(() => import('./pages/User'), 'User'),
  }),
  createRoute({
    ...parent,
    path: '/profiles',
    validateSearch: list,
    component: page(() => import('./pages/Profiles'), 'Profiles'),
  }),
  createRoute({
    ...parent,
    path: '/profiles/new',
    component: page(() => import('./pages/NewProfile'), 'NewProfile'),
  }),
  createRoute({
    ...parent,
    path: '/profiles/$id',
    validateSearch: holders,
    component: page(() => import('./pages/Profile'), 'Profile'),
  }),
  createRoute({
    ...parent,
    path: '/compare/profiles',
    validateSearch: compared,
    component: page(() => import('./pages/CompareProfiles'), 'CompareProfiles'),
  }),
  createRoute({
    ...parent,
    path: '/compare/users',
    validateSearch: compared,
    component: page(() => import('./pages/CompareUsers'), 'CompareUsers'),
  }),
  createRoute({
    ...parent,
    path: '/ending',
    validateSearch: list,
    component: page(() => import('./pages/Ending'), 'Ending'),
  }),
  createRoute({
    ...parent,
    path: '/scopes',
    validateSearch: list,
    component: page(() => import('./pages/Scopes'), 'Scopes'),
  }),
  createRoute({
    ...parent,
    path: '/scopes/new',
    component: page(() => import('./pages/NewScope'), 'NewScope'),
  }),
  createRoute({
    ...parent,
    path: '/scopes/$guid',
    validateSearch: tab,
    component: page(() => import('./pages/Scope'), 'Scope'),
  }),
  createRoute({
    ...parent,
    path: '/types',
    validateSearch: list,
    component: page(() => import('./pages/Types'), 'Types'),
  }),
  createRoute({
    ...parent,
    path: '/types/new',
    component: page(() => import('./pages/NewType'), 'NewType'),
  }),
  createRoute({
    ...parent,
    path: '/types/$guid',
    validateSearch: tab,
    component: page(() => import('./pages/Type'), 'Type'),
  }),
  createRoute({
    ...parent,
    path: '/roles',
    validateSearch: list,
    component: page(() => import('./pages/Roles'), 'Roles'),
  }),
  createRoute({
    ...parent,
    path: '/roles/new',
    component: page(() => import('./pages/NewRole'), 'NewRole'),
  }),
  createRoute({
    ...parent,
    path: '/roles/$id',
    validateSearch: holders,
    component: page(() => import('./pages/Role'), 'Role'),
  }),
  createRoute({
    ...parent,
    path: '/clients',
    validateSearch: list,
    component: page(() => import('./pages/Clients'), 'Clients'),
  }),
  createRoute({
    ...parent,
    path: '/clients/$id',
    component: page(() => import('./pages/Client'), 'Client'),
  }),
  createRoute({
    ...parent,
    path: '/connectors',
    validateSearch: list,
    component: page(() => import('./pages/Connectors'), 'Connectors'),
  }),
  createRoute({
    ...parent,
    path: '/events',
    component: page(() => import('./pages/Events'), 'Events'),
  }),
  createRoute({
    ...parent,
    path: '/usage',
    validateSearch: textsOf('q', 'view', 'client'),
    component: page(() => import('./pages/Usage'), 'Usage'),
  }),
  createRoute({
    ...parent,
    path: '/keys',
    component: page(() => import('./pages/Keys'), 'Keys'),
  }),
  createRoute({
    ...parent,
    path: '/history',
    validateSearch: textsOf('q', 'kind', 'action', 'actor', 'subject', 'from', 'change'),
    component: page(() => import('./pages/History'), 'History'),
  }),
  createRoute({
    ...parent,
    path: '/translations',
    validateSearch: textsOf('q', 'of', 'field', 'language', 'view'),
    component: page(() => import('./pages/Translations'), 'Translations'),
  }),
  createRoute({
    ...parent,
    path: '/no-access',
    validateSearch: textsOf('trace'),
    component: page(() => import('./pages/NoAccess'), 'NoAccess'),
  }),
  createRoute({
    ...parent,
    path: '/help/$name',
    component: page(() => import('./pages/HelpPage'), 'HelpPage'),
  }),
] as const;

const tree = root.addChildren([home, ...pages]);

export const router = createRouter({
  routeTree: tree,
  basepath: new URL(document.baseURI).pathname.replace(/\/$/, ''),
  defaultPreload: 'intent',
  // another record is another page: what is open, typed or under way belongs to the one before
  defaultRemountDeps: ({ params }) => params,
  defaultErrorComponent: ({ error, reset }) => (
    <Failure isPage error={error} retry={() => router.invalidate().then(reset)} />
  ),
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
