import { startOfferbook } from '../support/offerbook-server.ts';
import { describePage } from './page-contract.ts';

describePage(startOfferbook);
