import { headText } from './head-text.ts';

const inCheckout = 'npx offerbook';

/** How a command begins where Offerbook runs: `npx offerbook` in a checkout, `offerbook` where it is installed. */
export const programCommand = headText('command') || inCheckout;

/** How Offerbook is started there. */
export const startCommand = programCommand === inCheckout ? 'npm start' : `${programCommand} start`;
