/** Menus and option lists that open above the page. */
const openMenus = 'details:is(.menu, .picker)[open]';

/** Closes a window's open menus on a click outside them. */
export function closeMenusBeside(window: Window): void {
  window.document.addEventListener('pointerdown', ({ target }) => {
    for (const menu of window.document.querySelectorAll(openMenus)) {
      if (!(target instanceof Node && menu.contains(target))) menu.removeAttribute('open');
    }
  });
}
