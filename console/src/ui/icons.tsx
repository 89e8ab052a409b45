/** Icons as paths of one 24 × 24 grid. They are decoration: words beside them say the same. */
const paths = {
  alert: 'M12 4l9 16H3zM12 10v4M12 17v.2',
  apps: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z',
  arrow: 'M4 12h15M13 6l6 6-6 6',
  block: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M5.700 5.700l12.600 12.600',
  branch:
    'M7 8v8M7 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4M7 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4M17 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4M17 10c0 4-10 2-10 6',
  check: 'M5 12.500l4.500 4.500L19 7.500',
  client: 'M4 5h16v10H4zM2.500 19h19M9.500 8.500L7.500 10.500l2 2M14.500 8.500l2 2-2 2',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18M12 7.500V12l3 2',
  compare: 'M4 8h15M15 4l4 4-4 4M20 16H5M9 12l-4 4 4 4',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  dots: 'M5 12h.01M12 12h.01M19 12h.01',
  down: 'M6 9l6 6 6-6',
  download: 'M12 4v11M7.500 10.500L12 15l4.500-4.500M5 19.500h14',
  help: 'M8.500 9a3.500 3.500 0 1 1 5.200 3c-1.200.7-1.700 1.300-1.700 2.500M12 18v.2',
  history: 'M4 5v4h4M4.500 9a8 8 0 1 1-.4 4.500M12 8v4.500l3 1.800',
  home: 'M4 11l8-7 8 7v9H4zM10 20v-5h4v5',
  inbox: 'M4 13l2.500-8h11L20 13v6H4zM4 13h4.500l1 2.500h5l1-2.500H20',
  key: 'M8 17a4 4 0 1 0 0-8 4 4 0 0 0 0 8M11.500 11.500L20 7M17 8.700l1.500 3M14 10.300l1 2',
  link: 'M10 14a4 4 0 0 0 6 .4l2.500-2.500a4 4 0 0 0-5.700-5.700L11.500 7.500M14 10a4 4 0 0 0-6-.4l-2.500 2.500a4 4 0 0 0 5.700 5.700l1.300-1.300',
  lock: 'M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3',
  matrix: 'M4 4h16v16H4zM4 9.300h16M4 14.600h16M9.300 4v16M14.600 4v16',
  menu: 'M4 6.500h16M4 12h16M4 17.500h16',
  minus: 'M6 12h12',
  moon: 'M20 14.500A8.500 8.500 0 0 1 9.500 4 8.500 8.500 0 1 0 20 14.500',
  out: 'M9 4H5v16h4M14 8l4 4-4 4M18 12H9',
  pencil: 'M4 20l1-4L16.500 4.500l3 3L8 19zM14 7l3 3',
  plus: 'M12 5v14M5 12h14',
  print: 'M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z',
  profile:
    'M4 5h16v14H4zM8.500 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4M5.500 16.500c.5-1.500 1.600-2.200 3-2.200s2.500.7 3 2.200M14.500 10h3M14.500 14h3',
  review: 'M8 5H5v16h14V5h-3M8 3h8v4H8zM8.500 14l2.500 2.500L15.500 11.500',
  right: 'M9 6l6 6-6 6',
  role: 'M12 3l2.600 5.600 6.100.7-4.500 4.200 1.200 6-5.400-3-5.400 3 1.200-6L3.300 9.300l6.100-.7z',
  scope: 'M12 3l8 3v6c0 4.500-3.300 7.700-8 9-4.700-1.300-8-4.500-8-9V6zM9 12l2.200 2.200L15.500 10',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14M20 20l-4-4',
  session: 'M4 5h16v11H4zM9 20h6M12 16v4',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8M12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M18.700 5.300l-1.400 1.400M6.700 17.300l-1.400 1.400',
  translate:
    'M4 6h9M8.500 4v2M11 6c-.7 3.500-3 6-6.500 7.500M6 8.500c1 2 3 3.800 5.500 4.700M12.500 20l4-9 4 9M14 17h5',
  type: 'M12 4l8 4-8 4-8-4zM4 12l8 4 8-4M4 16l8 4 8-4',
  undo: 'M8 5L4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3',
  up: 'M6 15l6-6 6 6',
  usage: 'M4 20h16M7 16v-4M12 16V6M17 16V9',
  users:
    'M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7M2.500 20c.4-3.600 3-5.500 6.500-5.500s6.100 1.900 6.500 5.500M16 4.300a3.500 3.500 0 0 1 0 6.400M18 14.800c2 .7 3.200 2.500 3.500 5.200',
  why: 'M5 5.500a2 2 0 1 0 .01 0M5 18.500a2 2 0 1 0 .01 0M19 12a2 2 0 1 0 .01 0M7 7.500c4 0 5 6.500 10 6.500M7 20.500c4 0 5-6.500 10-6.500',
  x: 'M6 6l12 12M18 6L6 18',
};

export type IconName = keyof typeof paths;

export const Icon = ({ name, size = 18 }: { name: IconName; size?: number }) => (
  <svg
    className="icon"
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.75"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={paths[name]} />
  </svg>
);

/** Gatehouse's own mark. */
export const Mark = () => (
  <svg width="22" height="22" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="#3b5bdb" />
    <path
      d="M8 25V14a8 8 0 0 1 16 0v11M8 25h16M13 25v-9a3 3 0 0 1 6 0v9"
      fill="none"
      stroke="#fff"
      strokeWidth="2.4"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
);
