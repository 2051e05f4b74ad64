import { useEffect, useState } from 'preact/hooks';

const query = '(min-width: 641px)';

/** Whether the window is wider than a phone. */
export function useWide(): boolean {
  const [wide, setWide] = useState(() => window.matchMedia(query).matches);
  useEffect(() => {
    const list = window.matchMedia(query);
    const follow = () => setWide(list.matches);
    follow();
    list.addEventListener('change', follow);
    return () => list.removeEventListener('change', follow);
  }, []);
  return wide;
}
