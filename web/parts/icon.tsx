/** Icons on a 16 × 16 grid, drawn here because fonts lack some of them. */
const shapes = {
  great: 'M3 3h10L8 8zM3 8h10l-5 5z',
  good: 'M3 5h10l-5 6z',
  usual: 'M8 4.5a3.5 3.5 0 1 1 0 7a3.5 3.5 0 1 1 0-7z',
  dear: 'M3 11h10L8 5z',
  steep: 'M3 8h10L8 3zM3 13h10L8 8z',
  unknown: 'M8 4a4 4 0 1 1 0 8a4 4 0 1 1 0-8zM8 5.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5z',
  complete: 'M2.5 8.5 4 7l2.7 2.7L12 4.4l1.5 1.5-6.8 6.8z',
  partial: 'M8 2.5a5.5 5.5 0 1 1 0 11zM8 2.5v11A5.5 5.5 0 0 1 8 2.5z',
  failed: 'M4.4 3 8 6.6 11.6 3 13 4.4 9.4 8l3.6 3.6-1.4 1.4L8 9.4 4.4 13 3 11.6 6.6 8 3 4.4z',
  unchanged: 'M3 5h10v2H3zM3 9h10v2H3z',
  stopped: 'M4 3h3v10H4zM9 3h3v10H9z',
  destroyed: 'M6 2h4v1.2h3.2v1.6H2.8V3.2H6zM4 6h8l-.7 8H4.7z',
  running: 'M2.5 7h2.2v2.2H2.5zM6.9 7h2.2v2.2H6.9zM11.3 7h2.2v2.2h-2.2z',
  left: 'M10.5 3 5 8l5.5 5z',
  right: 'M5.5 3 11 8l-5.5 5z',
  plus: 'M7 3h2v4h4v2H9v4H7V9H3V7h4z',
  minus: 'M3 7h10v2H3z',
  reset: 'M8 3V1L4 4l4 3V5a3.5 3.5 0 1 1-3.5 3.5h-2A5.5 5.5 0 1 0 8 3z',
  search:
    'M7 2a5 5 0 0 1 4 8l3.2 3.2-1.2 1.2L9.8 11.2A5 5 0 1 1 7 2zm0 1.6a3.4 3.4 0 1 0 0 6.8a3.4 3.4 0 0 0 0-6.8z',
  pin: 'M5 2h6v1.6l-1 .6V8l2.2 2v1.6H8.7V15H7.3v-3.4H3.8V10L6 8V4.2l-1-.6z',
  bell: 'M8 1.5a1.2 1.2 0 0 1 1.2 1.2v.2a4 4 0 0 1 2.8 3.8v2.8l1.5 1.8v.9h-11v-.9L4 9.5V6.7a4 4 0 0 1 2.8-3.8v-.2A1.2 1.2 0 0 1 8 1.5zM6.4 13.2h3.2a1.6 1.6 0 0 1-3.2 0z',
  auto: 'M8 2a6 6 0 1 1 0 12A6 6 0 1 1 8 2zm0 1.6v8.8a4.4 4.4 0 0 0 0-8.8z',
  light:
    'M8 5a3 3 0 1 1 0 6a3 3 0 1 1 0-6zM7.3 1h1.4v2.4H7.3zM7.3 12.6h1.4V15H7.3zM1 7.3h2.4v1.4H1zM12.6 7.3H15v1.4h-2.4zM2.6 3.6l1-1 1.7 1.7-1 1zM10.7 11.7l1-1 1.7 1.7-1 1zM2.6 12.4l1.7-1.7 1 1-1.7 1.7zM10.7 4.3l1.7-1.7 1 1-1.7 1.7z',
  dark: 'M6.5 1.8A6.3 6.3 0 1 0 14.2 9.5 5.2 5.2 0 0 1 6.5 1.8z',
} as const;

export type IconName = keyof typeof shapes;

/** A small icon in the text color; words beside it must state its meaning. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" focusable="false">
      <path d={shapes[name]} fill="currentColor" />
    </svg>
  );
}
