import { createTheme, type MantineColorsTuple, type VariantColorsResolver } from '@mantine/core';

/** Mantine wants ten shades. Ours come from the tokens, which know light and dark by themselves. */
const oneShade = (token: string): MantineColorsTuple =>
  Array.from({ length: 10 }, () => `var(--${token})`) as unknown as MantineColorsTuple;

const TOKEN_COLORS = ['accent', 'danger', 'warn', 'ok', 'info', 'dim'] as const;

/** The colours of buttons and badges, from the tokens. */
const variantColorResolver: VariantColorsResolver = ({ color, variant }) => {
  const name = TOKEN_COLORS.find((token) => token === color) ?? 'accent';
  const own = `var(--${name})`;
  const none = '1px solid transparent';
  switch (variant) {
    case 'filled':
      return { background: own, hover: own, color: 'var(--on-accent)', border: none };
    case 'light':
      return {
        background: name === 'accent' ? 'var(--soft)' : 'var(--raised)',
        hover: name === 'accent' ? 'var(--soft)' : 'var(--raised)',
        color: own,
        border: none,
      };
    case 'outline':
      return { background: 'transparent', hover: 'var(--raised)', color: own, border: `1px solid ${own}` };
    case 'default':
      return {
        background: 'var(--surface)',
        hover: 'var(--raised)',
        color: color === undefined || name === 'accent' ? 'var(--text)' : own,
        border: '1px solid var(--border)',
      };
    case 'transparent':
      return { background: 'transparent', hover: 'transparent', color: own, border: none };
    default:
      return { background: 'transparent', hover: 'var(--raised)', color: own, border: none };
  }
};

const BELOW_INPUT = ['label', 'input', 'description', 'error'] as (
  | 'label'
  | 'input'
  | 'description'
  | 'error'
)[];
const input = { size: 'sm', inputWrapperOrder: BELOW_INPUT } as const;

export const theme = createTheme({
  primaryColor: 'accent',
  colors: Object.fromEntries(TOKEN_COLORS.map((token) => [token, oneShade(token)])),
  variantColorResolver,
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--font-mono)',
  fontSizes: { xs: '11px', sm: '13px', md: '13px', lg: '15px', xl: '18px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '20px', xl: '24px' },
  spacing: { xs: '4px', sm: '8px', md: '12px', lg: '16px', xl: '24px' },
  radius: { xs: '4px', sm: '4px', md: '4px', lg: '4px', xl: '4px' },
  defaultRadius: 'sm',
  focusRing: 'never',
  focusClassName: 'focus-ring',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Plain objects, not `Button.extend(…)`: that would put every one of them into the first bundle.
  components: {
    Button: { defaultProps: { size: 'sm', variant: 'default' } },
    ActionIcon: { defaultProps: { size: 'md', variant: 'subtle', color: 'dim' } },
    Badge: { defaultProps: { variant: 'light', radius: 'sm' } },
    TextInput: { defaultProps: input },
    PasswordInput: { defaultProps: input },
    NumberInput: { defaultProps: input },
    Textarea: { defaultProps: input },
    TagsInput: { defaultProps: input },
    Select: { defaultProps: { ...input, allowDeselect: false, checkIconPosition: 'right' } },
    Checkbox: { defaultProps: { size: 'sm' } },
    Switch: { defaultProps: { size: 'sm' } },
    // Without a variant its text is white, which nobody can read on the accent of the dark theme.
    Chip: { defaultProps: { variant: 'filled' } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    Menu: {
      defaultProps: { position: 'bottom-start', offset: 4, transitionProps: { duration: 120 } },
    },
    Popover: {
      defaultProps: { position: 'bottom-start', offset: 4, transitionProps: { duration: 120 } },
    },
    Tooltip: {
      defaultProps: {
        openDelay: 400,
        transitionProps: { duration: 120 },
        events: { hover: true, focus: true, touch: false },
      },
    },
    Modal: {
      defaultProps: { transitionProps: { duration: 120 }, centered: false, yOffset: '12vh' },
    },
  },
});
