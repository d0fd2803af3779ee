import { useState } from 'react';
import { areShortcutsOn, setShortcutsOn } from '../../shell/shortcuts-setting.ts';
import { Card } from '../../ui/card.tsx';
import { Switch } from '../../ui/switch.tsx';

/** Whether single keys do something; some people dictate or use other tools. */
export function KeyboardCard() {
  const [isOn, setOn] = useState(areShortcutsOn);
  return (
    <Card title="Keyboard">
      <Switch
        label="Shortcuts of single keys"
        hint="g and a letter changes pages, / searches, j and k move through rows, ? shows them all. Ctrl K works either way."
        isOn={isOn}
        onChange={(next) => {
          setShortcutsOn(next);
          setOn(next);
        }}
      />
    </Card>
  );
}
