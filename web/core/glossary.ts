/** Words of the page that a newcomer may not know, in one or two sentences. */
export const glossary = {
  DLPerf: 'The marketplace’s score of a machine for deep learning. More is faster.',
  book: 'One complete snapshot of all offers that the market listed at a moment.',
  'like for like':
    'Only prices of the same machines are compared, so that it does not matter which machines are available.',
  'standard error':
    'How far a change may be off because only some machines were compared: in about 2 of 3 cases by less than the number after ±. A change counts as clear, in bold and color, when it is more than twice that.',
  mix: 'Which machines are available: when cheap ones are taken, the day’s median (of all prices of that day) rises although no price has changed. The mix of machines is that part of a change, in percentage points. A change says “cheap ones are taken” or “more cheap ones are available” when it is at least a point and twice the number after ±.',
  deverified: 'The market verified the machine once and has withdrawn that: it may be unreliable.',
  'bid discount':
    'How far the median minimum bid is below the median on-demand price. A bid is cheaper, but somebody who bids more gets the machine.',
  'reliable offers':
    'Offers of verified machines, where the market verifies, with 98% reliability or more. Today and Deals count these alone until “Reliable” in Deals is off, and whether it is a good time is told by their lowest price; Market and the chart of Trends count all offers, so their numbers differ.',
  'good time':
    'The lowest price was higher in at least 75% of the last 30 days, or 7 if there are fewer; a very good time: in at least 90%. A bad time: it was lower in at least 75%, a very bad one: in at least 90%. Between these, or within 1% of the usual price, it is an ordinary time; within 5% of it, it is never a very good or very bad one. How often it was higher or lower decides, not by how much, so read the usual price too. How long offers last does not count.',
  'equal machine':
    'It has the same GPU model, number of GPUs and pricing type; memory per GPU and verification not lower, reliability at most 1 percentage point lower, and room for the disk. Country, CPU, RAM, network and when the host ends the offer are not compared: look at it before you rent it.',
  'offers of one machine':
    'A market lists a machine in parts, an offer for each number of GPUs, and several can look the same, or differ in the price alone: take the cheapest while it is there. They may share GPUs: renting one of them can take others of its machine away. Counts of offers count each.',
  outlier:
    'A price below a quarter or above four times the usual one of 30 days. There is often a reason: look twice before you rent.',
} as const;

export type GlossaryWord = keyof typeof glossary;
