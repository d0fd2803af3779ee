import '../ui/fonts.css';
import '../ui/tokens.css';
import '../ui/base.css';
import './reference.css';
import { addCopyButtons } from './copy.ts';
import { startFilling } from './fill.ts';
import { showSamples } from './samples.ts';
import { startSearch } from './search.ts';
import { startTheme } from './theme.ts';
import { showForms } from './try-it.ts';

// The page is complete without this script, which adds the interactive parts.
const root = new URL(document.body.dataset.root ?? '.', location.href);
const reader = startFilling();
startSearch(root);
showSamples(root, reader);
showForms(root, reader);
addCopyButtons();
// On a phone the contents would fill the screen before the text.
const contents = document.querySelector<HTMLDetailsElement>('nav details');
if (contents && matchMedia('(max-width: 760px)').matches) contents.open = false;
startTheme();
