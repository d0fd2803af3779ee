// GET /form.js: reads its settings from its own element.
import { type FormTexts, watchForms } from './form.ts';

const { src, dataset } = document.currentScript as HTMLScriptElement;
const { key, ...texts } = dataset;
if (key !== undefined) {
  const baseUrl = new URL('.', src).href;
  watchForms({ baseUrl, key, texts: texts as Partial<FormTexts> });
}
