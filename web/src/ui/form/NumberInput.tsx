import { type ComponentProps, useState } from 'react';
import { TextInput } from './inputs.tsx';
import { cleanNumber, editNumber, withCommas } from './number-text.ts';

interface NumberInputProps extends Omit<ComponentProps<typeof TextInput>, 'value' | 'onChange'> {
  /** Digits, or empty. */
  value: string;
  onValue: (value: string) => void;
}

/** A whole number, shown as 50,000 while the value has only digits; spread a Field's control props on it. */
export function NumberInput({ value, onValue, ...rest }: NumberInputProps) {
  // A keyboard that still composes would type twice into a text that changes under it.
  const [composed, setComposed] = useState<string>();
  const edit = (input: HTMLInputElement, isForward: boolean) => {
    const { value: text, selectionStart } = input;
    const edited = editNumber(value, { text, caret: selectionStart ?? text.length, isForward });
    // React leaves alone what the input holds already, and with it the caret.
    input.value = edited.shown;
    input.setSelectionRange(edited.caret, edited.caret);
    setComposed(undefined);
    onValue(edited.value);
  };
  return (
    <TextInput
      {...rest}
      inputMode="numeric"
      autoComplete="off"
      value={composed ?? withCommas(value)}
      onChange={({ currentTarget, nativeEvent }) => {
        const { isComposing, inputType } = nativeEvent as InputEvent;
        if (!isComposing) return edit(currentTarget, inputType === 'deleteContentForward');
        setComposed(currentTarget.value);
        onValue(cleanNumber(currentTarget.value, value));
      }}
      onCompositionEnd={({ currentTarget }) => edit(currentTarget, false)}
    />
  );
}
