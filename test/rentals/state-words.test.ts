import { expect, it } from 'vitest';
import { rentalStates } from '../../src/rentals/rental.ts';
import { byWords, renterWords, stateWords } from '../../src/rentals/state-words.ts';
import { actorWords, rentedWords } from '../../web/core/actor-words.ts';
import { formatGb } from '../../web/core/figures.ts';
import { stateWords as wordsOfPage } from '../../web/rentals/instances/state-words.ts';

it('states and renters have the same words in the terminal as on the page', () => {
  expect(rentalStates.map(stateWords)).toEqual(rentalStates.map((state) => wordsOfPage(state).text));
  expect(['provisioning', 'ready', 'unsettled', 'frozen'].map(stateWords)).toEqual([
    ...['starting', 'running, ready', 'unclear: needs your decision', 'frozen'],
  ]);
  expect(['session', 'training'].map(renterWords)).toEqual(['session', 'training'].map(actorWords));
  expect(renterWords('session')).toBe('on the page');
  expect(['session', 'training'].map(byWords)).toEqual(['on the page', 'by training']);
  expect(['session', 'training', null].map(rentedWords)).toEqual([
    ...['on Offerbook’s page', 'by training', 'elsewhere, not by Offerbook'],
  ]);
});

it('VRAM is in GB of 1000 MB everywhere', () => {
  expect(formatGb(16_311)).toBe('16.3 GB');
});
