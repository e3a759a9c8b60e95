import { createRoot } from 'react-dom/client';
import { followSystemColourMode } from '../lib/state/colour-mode.ts';
import { Playground } from './Playground.tsx';

followSystemColourMode();

const root = document.getElementById('root');
if (root) createRoot(root).render(<Playground />);
