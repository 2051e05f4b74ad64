/** Menus and lists of choices that stand open over the page. */
const openMenus = 'details:is(.menu, .picker)[open]';

/** Closes each open menu of a window as soon as something outside it is pressed. */
export function closeMenusBeside(window: Window): void {
  window.document.addEventListener('pointerdown', ({ target }) => {
    for (const menu of window.document.querySelectorAll(openMenus)) {
      if (!(target instanceof Node && menu.contains(target))) menu.removeAttribute('open');
    }
  });
}
