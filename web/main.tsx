import { effect } from '@preact/signals';
import { options, render, type VNode } from 'preact';
import { createApp } from './core/app.ts';
import { basePath } from './core/base-path.ts';
import { announceDownloads } from './core/downloads.ts';
import { closeMenusBeside } from './core/menus.ts';
import { registerWorker } from './core/service-worker.ts';
import { Page, titleOf } from './page.tsx';
import './style/theme.css';
import './style/page.css';
import './style/sections.css';
import './style/spend.css';
import './style/dialogs.css';
import './style/controls.css';
import './style/choices.css';
import './style/pins.css';
import './style/explained.css';
import './style/instances.css';
import './style/menus.css';
import './style/made.css';
import './style/rent.css';
import './style/chart.css';
import './style/bars.css';
import './style/tables.css';
import './style/wide-tables.css';
import './style/tables-phone.css';
import './style/deals.css';
import './style/today.css';
import './style/commands.css';

// Views name each other as if the page lay at the root of its host.
options.vnode = ({ type, props }: VNode<{ href?: unknown }>): void => {
  if (type === 'a' && typeof props.href === 'string' && props.href.startsWith('/'))
    props.href = basePath + props.href;
};
const app = createApp(window);
effect(() => {
  document.title = titleOf(app.address.place.value);
});
closeMenusBeside(window);
announceDownloads(window, app);
const root = document.getElementById('page');
if (root !== null) render(<Page app={app} />, root);
// Later, so that it takes nothing from the first view.
window.addEventListener('load', () => window.setTimeout(() => void registerWorker(window), 3_000));
