import { useState } from 'react';
import { areShortcutsOn, setShortcutsOn } from '../../shell/shortcuts-setting.ts';
import { Card } from '../../ui/card.tsx';
import { Switch } from '../../ui/switch.tsx';

/** Turns single-key shortcuts on or off: they interfere with dictation and some other tools. */
export function KeyboardCard() {
  const [isOn, setOn] = useState(areShortcutsOn);
  return (
    <Card title="Keyboard">
      <Switch
        label="Single-key shortcuts"
        hint="g and a letter changes the page, / searches, j and k move between rows, ? lists them all. Ctrl K always works."
        isOn={isOn}
        onChange={(next) => {
          setShortcutsOn(next);
          setOn(next);
        }}
      />
    </Card>
  );
}
