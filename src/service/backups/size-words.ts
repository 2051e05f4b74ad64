/** Returns a size like `4.2 MB`. */
export function sizeWords(bytes: number): string {
  const [unit, of] = bytes >= 1e9 ? ['GB', 1e9] : bytes >= 1e6 ? ['MB', 1e6] : ['kB', 1e3];
  return `${(bytes / Number(of)).toFixed(1)} ${unit}`;
}
