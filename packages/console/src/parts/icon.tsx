/** The drawings of the icons, on a grid of 16 by 16. */
const paths = {
  instances: 'M2.5 3.5h11v4h-11zM2.5 8.5h11v4h-11zM4.8 5.5h.01M4.8 10.5h.01',
  networks: 'M8 2.5v4M3.5 13.5v-3h9v3M8 6.5v4M6.5 2.5h3v2h-3zM2.2 12h2.6v2H2.2zM11.2 12h2.6v2h-2.6zM6.7 12h2.6v2H6.7z',
  securityGroups: 'M8 2 3 4v4c0 3 2.2 5 5 6 2.8-1 5-3 5-6V4z',
  loadBalancers: 'M2 8h4M6 8l4-4.5h4M6 8h8M6 8l4 4.5h4',
  fileStorage:
    'M2.5 4.5c0-1 2.5-1.8 5.5-1.8s5.5.8 5.5 1.8-2.5 1.8-5.5 1.8-5.5-.8-5.5-1.8zM2.5 4.5v7c0 1 2.5 1.8 5.5 1.8s5.5-.8 5.5-1.8v-7M2.5 8c0 1 2.5 1.8 5.5 1.8s5.5-.8 5.5-1.8',
  sshAuthorities: 'M10.5 6.5a3 3 0 1 1-3-3 3 3 0 0 1 3 3zM5.5 8.7 2.5 12v1.5h2V12h1.5v-1.5',
  images: 'M2.5 3h11v10h-11zM2.5 10.5l3-3 3 3 2-2 3 3M10.5 6h.01',
  activity: 'M1.5 8h3l2-5 3 10 2-5h3',
  quotas: 'M2.5 13.5v-4h3v4M6.5 13.5v-8h3v8M10.5 13.5v-11h3v11',
  projects: 'M2 4.5h4.5L8 6h6v7H2z',
  people: 'M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 13.5c.5-2.5 2.5-3.7 5-3.7s4.500 1.200 5 3.700',
  groups:
    'M5.500 7.500a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM1.500 12.500c.4-2 1.900-3 4-3s3.600 1 4 3M10.500 7.500a2 2 0 1 0 0-4M11.500 9.600c1.600.2 2.700 1.200 3 2.900',
  roles: 'M3 5h10M3 8h6M3 11h8',
  key: 'M10 6a2.500 2.500 0 1 0 0 .01M7.800 7.500 3 12.300v1.200h1.700',
  login: 'M6.500 3h6v10h-6M2.500 8h6M6.500 5.800 8.700 8l-2.200 2.200',
  settings: 'M2.500 4.500h6M11.500 4.500h2M2.500 11.500h2M7.500 11.500h6M10 3v3M6 10v3',
  organizations: 'M3 13.500v-11h6v11M9 6h4v7.500M1.500 13.500h13M5 5h2M5 7.500h2M5 10h2',
  regions:
    'M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM2 8h12M8 2c2 2 2.500 4 2.500 6s-.5 4-2.500 6c-2-2-2.500-4-2.500-6S6 4 8 2z',
  findings: 'M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9zM10.300 10.300l3.700 3.700',
  sagas: 'M3 3.500h4v3H3zM9 9.500h4v3H9zM7 5h2.500a1.500 1.500 0 0 1 1.500 1.500v3',
  controllers: 'M13 8a5 5 0 1 1-1.500-3.500M13 2.500v2.500h-2.500',
  chevronDown: 'M4 6l4 4 4-4',
  chevronRight: 'M6 4l4 4-4 4',
  upDown: 'M5 6l3-3 3 3M5 10l3 3 3-3',
  check: 'M3 8.500 6.500 12 13 4.500',
  cross: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  copy: 'M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3',
  search: 'M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9zM10.300 10.300l3.700 3.700',
  menu: 'M2.500 4h11M2.500 8h11M2.500 12h11',
  more: 'M3.500 8h.01M8 8h.01M12.500 8h.01',
  work: 'M8 2.500a5.500 5.500 0 1 0 5.500 5.500M8 5v3l2 1.500',
  warning: 'M8 2.500 14.500 13.500h-13zM8 6.500v3.500M8 11.800h.01',
  info: 'M8 14a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM8 7.500v3.500M8 5h.01',
  external: 'M6 3.500H3v9.500h9.500V10M9 3h4v4M13 3 7.500 8.500',
  play: 'M5 3.500v9l7.500-4.500z',
  stop: 'M4 4h8v8H4z',
  restart: 'M13 8a5 5 0 1 1-1.500-3.500M13 2.500v2.500h-2.500',
  trash: 'M3 4.500h10M6 4.500v-2h4v2M4.500 4.500l.5 9h6l.5-9M6.800 7v4M9.200 7v4',
  lock: 'M4 7.500h8v6H4zM5.500 7.500V5a2.500 2.500 0 0 1 5 0v2.500',
  edit: 'M3 13h2.500l7-7L10 3.500l-7 7zM8.500 5 11 7.500',
  tag: 'M2.500 2.500h5l6 6-5 5-6-6zM5.500 5.500h.01',
  filter: 'M2 3.500h12l-4.500 5.500v4.500l-3-1.500v-3z',
  columns: 'M2.500 3h11v10h-11zM6.200 3v10M9.800 3v10',
  terminal: 'M2 3h12v10H2zM4.500 6l2 2-2 2M8 10.500h3',
} as const;

export type IconName = keyof typeof paths;

/** A drawing beside a text that says the same; it is hidden from screen readers. */
export function Icon({ name, className = '' }: { readonly name: IconName; readonly className?: string }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" className={`size-4 shrink-0 ${className}`}>
      <path
        d={paths[name]}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
