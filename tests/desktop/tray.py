"""What a person sees of the tray, and how they click in its menu: over the session bus, as desktops do."""

import dbus

from webdriver import until

WATCHER = "org.kde.StatusNotifierWatcher"
ITEM = "org.kde.StatusNotifierItem"
MENU = "com.canonical.dbusmenu"


def items() -> list[str]:
    """The icons that are there now, the newest last."""
    bus = dbus.SessionBus()
    if not bus.name_has_owner(WATCHER):
        return []
    watcher = dbus.Interface(bus.get_object(WATCHER, "/StatusNotifierWatcher"), dbus.PROPERTIES_IFACE)
    registered = [str(item) for item in watcher.Get(WATCHER, "RegisteredStatusNotifierItems")]
    return [item for item in registered if bus.name_has_owner(item.split("/", 1)[0])]


def _newest() -> tuple[str, str]:
    name, path = until("an icon is in the tray", items)[-1].split("/", 1)
    return name, f"/{path}"


def _property(name: str):
    owner, path = _newest()
    properties = dbus.Interface(dbus.SessionBus().get_object(owner, path), dbus.PROPERTIES_IFACE)
    return properties.Get(ITEM, name)


def icon() -> bytes:
    """The picture that is shown."""
    with open(str(_property("IconName")) + ("" if str(_property("IconName")).endswith(".png") else ".png"), "rb") as file:
        return file.read()


def _menu() -> dbus.Interface:
    owner, _ = _newest()
    return dbus.Interface(dbus.SessionBus().get_object(owner, str(_property("Menu"))), MENU)


def _entries(node, depth=0):
    for number, properties, children in node:
        label = str(properties.get("label", "")).replace("__", "\0").replace("_", "").replace("\0", "_")
        yield int(number), label, properties, depth
        yield from _entries(children, depth + 1)


def entries() -> list[tuple[int, str, dict, int]]:
    """Every entry of the menu: number, label, properties, depth."""
    _revision, (_root, _properties, children) = _menu().GetLayout(0, -1, [])
    return list(_entries(children))


def labels() -> list[str]:
    return [label for _, label, _, _ in entries()]


def checked(label: str) -> bool:
    return any(int(properties.get("toggle-state", 0)) == 1 for _, text, properties, _ in entries() if text == label)


def click(label: str):
    """Clicks the entry with this label, once it is there."""

    def found():
        return next((number for number, text, _, _ in entries() if text == label), None)

    number = until(f"“{label}” is in the menu of the tray", found)
    _menu().Event(number, "clicked", dbus.String("", variant_level=1), dbus.UInt32(0))
