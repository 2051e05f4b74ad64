import { Command } from 'commander';
import { offersCrawl } from '../../books/crawl-offers.command.ts';
import { instancesCrawl } from '../../rentals/instances/crawl-instances.command.ts';
import { billingCrawls } from '../../spend/bills/crawl-bills.command.ts';
import type { ServiceContext } from '../service-context.ts';

export function crawlCommand(context: ServiceContext): Command {
  const command = new Command('crawl')
    .description('read offers, bills or instances from the market now')
    .addHelpText('after', '\nExample:\n  offerbook crawl offers');
  for (const crawl of [offersCrawl(context), ...billingCrawls(context), instancesCrawl(context)]) {
    command.addCommand(crawl);
  }
  return command;
}
