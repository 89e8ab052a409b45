/** Every view has an address; what it shows is in its search. Pages are read when they are first asked for. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { textsOf } from './address';
import { Shell } from './shell/Shell';
import { NotFound } from './ui/Empty';
import { Failure } from './ui/Failure';

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: ({ error, reset }) => <Failure isPage error={error} retry={reset} />,
});
const parent = { getParentRoute: () => root };
const list = textsOf('q', 'sort', 'view', 'type');
const tab = textsOf('tab', 'q');

const home = createRoute({
  ...parent,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/applications' });
  },
});
/** Each page is a chunk of its own. */
const pages = [
  createRoute({
    ...parent,
    path: '/applications',
    validateSearch: list,
    component: lazyRouteComponent(() => import('./pages/Applications'), 'Applications'),
  }),
  createRoute({
    ...parent,
    path: '/applications/new',
    component: lazyRouteComponent(() => import('./pages/NewApplication'), 'NewApplication'),
  }),
  createRoute({
    ...parent,
    path: '/applications/$guid',
    validateSearch: tab,
    component: lazyRouteComponent(() => import('./pages/Application'), 'Application'),
  }),
  createRoute({
    ...parent,
    path: '/matrix',
    validateSearch: textsOf('type', 'q', 'as'),
    component: lazyRouteComponent(() => import('./pages/Matrix'), 'Matrix'),
  }),
  createRoute({
    ...parent,
    path: '/why',
    validateSearch: textsOf('user', 'application'),
    component: lazyRouteComponent(() => import('./pages/Why'), 'Why'),
  }),
  createRoute({
    ...parent,
    path: '/users',
    validateSearch: list,
    component: lazyRouteComponent(() => import('./pages/Users'), 'Users'),
  }),
  createRoute({
    ...parent,
    path: '/users/$guid',
    validateSearch: tab,
    component: lazyRouteComponent(() => import('./pages/User'), 'User'),
  }),
  createRoute({
    ...parent,
    path: '/profiles',
    validateSearch: list,
    component: lazyRouteComponent(() => import('./pages/Profiles'), 'Profiles'),
  }),
  createRoute({
    ...parent,
    path: '/profiles/new',
    component: lazyRouteComponent(() => import('./pages/NewProfile'), 'NewProfile'),
  }),
  createRoute({
    ...parent,
    path: '/profiles/$id',
    validateSearch: tab,
    component: lazyRouteComponent(() => import('./pages/Profile'), 'Profile'),
  }),
  createRoute({
    ...parent,
    path: '/scopes',
    validateSearch: list,
    component: lazyRouteComponent(() => import('./pages/Scopes'), 'Scopes'),
  }),
  createRoute({
    ...parent,
    path: '/scopes/new',
    component: lazyRouteComponent(() => import('./pages/NewScope'), 'NewScope'),
  }),
  createRoute({
    ...parent,
    path: '/scopes/$guid',
    validateSearch: tab,
    component: lazyRouteComponent(() => import('./pages/Scope'), 'Scope'),
  }),
  createRoute({
    ...parent,
    path: '/types',
    validateSearch: list,
    component: lazyRouteComponent(() => import('./pages/Types'), 'Types'),
  }),
  createRoute({
    ...parent,
    path: '/types/new',
    component: lazyRouteComponent(() => import('./pages/NewType'), 'NewType'),
  }),
  createRoute({
    ...parent,
    path: '/types/$guid',
    validateSearch: tab,
    component: lazyRouteComponent(() => import('./pages/Type'), 'Type'),
  }),
  createRoute({
    ...parent,
    path: '/roles',
    validateSearch: list,
    component: lazyRouteComponent(() => import('./pages/Roles'), 'Roles'),
  }),
  createRoute({
    ...parent,
    path: '/roles/new',
    component: lazyRouteComponent(() => import('./pages/NewRole'), 'NewRole'),
  }),
  createRoute({
    ...parent,
    path: '/roles/$id',
    validateSearch: tab,
    component: lazyRouteComponent(() => import('./pages/Role'), 'Role'),
  }),
  createRoute({
    ...parent,
    path: '/clients',
    validateSearch: list,
    component: lazyRouteComponent(() => import('./pages/Clients'), 'Clients'),
  }),
  createRoute({
    ...parent,
    path: '/clients/$id',
    component: lazyRouteComponent(() => import('./pages/Client'), 'Client'),
  }),
  createRoute({
    ...parent,
    path: '/usage',
    validateSearch: textsOf('q', 'view', 'client'),
    component: lazyRouteComponent(() => import('./pages/Usage'), 'Usage'),
  }),
  createRoute({
    ...parent,
    path: '/keys',
    component: lazyRouteComponent(() => import('./pages/Keys'), 'Keys'),
  }),
  createRoute({
    ...parent,
    path: '/history',
    validateSearch: textsOf('q', 'kind', 'action', 'actor', 'subject', 'from', 'change'),
    component: lazyRouteComponent(() => import('./pages/History'), 'History'),
  }),
  createRoute({
    ...parent,
    path: '/translations',
    validateSearch: textsOf('q', 'of', 'field', 'language', 'view'),
    component: lazyRouteComponent(() => import('./pages/Translations'), 'Translations'),
  }),
] as const;

const tree = root.addChildren([home, ...pages]);

export const router = createRouter({
  routeTree: tree,
  basepath: new URL(document.baseURI).pathname.replace(/\/$/, ''),
  defaultPreload: 'intent',
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
