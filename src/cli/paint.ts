import { styleText } from 'node:util';
import type { CommandIo } from './io.ts';

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

/** Colours a text on a terminal and returns it unchanged elsewhere. */
export type Paint = (style: Style, text: string) => string;

/** Without colour: for pipes, files and `NO_COLOR` (https://no-color.org). */
export const plain: Paint = (_, text) => text;

const coloured: Paint = (style, text) => styleText(style, text, { validateStream: false });

/** How one of a command's streams shows colour. */
export function paintFor(stream: CommandIo['stdout'], env: NodeJS.ProcessEnv): Paint {
  const { NO_COLOR = '', TERM = '' } = env;
  return stream.isTTY === true && NO_COLOR === '' && TERM !== 'dumb' ? coloured : plain;
}
