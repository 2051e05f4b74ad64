import { effect } from '@preact/signals';
import { render } from 'preact';
import { Page } from './page.tsx';
import { createPageState } from './page-state.ts';
import './page.css';
import './controls.css';
import './chart.css';
import './tables.css';

const state = createPageState(window);
effect(() => {
  document.title = `${state.view.value.gpuName ?? 'All models'} · Offerbook`;
});
const root = document.getElementById('page');
if (root !== null) render(<Page state={state} />, root);
