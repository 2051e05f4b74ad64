import { Option } from 'commander';

/** Returns the option for one market, or for several to compare. */
export const marketOption = (): Option =>
  new Option('--market <name...>', 'markets to read, several to compare them (default: the configured one)');
